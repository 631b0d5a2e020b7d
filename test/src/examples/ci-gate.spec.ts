import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { startExample, type RunningExample } from './examples.spec.support.js';

describe('example "CI gate", run as described in its README', function () {
  this.timeout(120_000);

  let example: RunningExample;

  before(async function () {
    // The test finds the processes of the server in /proc.
    if (process.platform !== 'linux') this.skip();
    const secrets = { CODEHOST_SECRET: randomBytes(32).toString('hex'), CI_SECRET: randomBytes(32).toString('hex') };
    example = await startExample(
      'ci-gate',
      {
        Integrations__CodeHost__Secret: secrets.CODEHOST_SECRET,
        Integrations__EventIngress__Sources__0__Secret: secrets.CI_SECRET,
      },
      secrets,
    );
  });

  after(() => example?.stop());

  it('should start a run on an issue and complete the run after a passed build and an approval', async () => {
    // when
    const [runId, failedBuildResponse, passedBuildResponse, repeatedEventResponse, forgedEventErrorCode, ...rest] =
      await example.runReadmeCommands();

    // then
    expect(JSON.parse(failedBuildResponse ?? '')).to.include({
      resumed: true,
      duplicate: false,
      runId,
      messageName: 'ci.failed',
      correlationKey: 'acme/shop#7',
    });
    expect(JSON.parse(passedBuildResponse ?? '')).to.include({
      resumed: true,
      duplicate: false,
      runId,
      messageName: 'ci.passed',
    });
    expect(JSON.parse(repeatedEventResponse ?? '')).to.deep.equal({
      ...(JSON.parse(passedBuildResponse ?? '') as object),
      duplicate: true,
    });
    expect(forgedEventErrorCode).to.equal('invalid_signature');
    const output = rest.join('\n');
    expect(output)
      .to.match(/title: 'Totals are rounded twice'/)
      .and.match(/failuresBefore: 1/);
    expect(output)
      .to.match(/^approved$/m)
      .and.match(/^completed$/m);
    expect(output)
      .to.match(/^matched {2}event-ingress {2}ci {2}ci\.passed$/m)
      .and.match(/^matched {2}codehost-webhook {2}codehost {2}codehost\.issues\.opened$/m);
    expect(output).to.match(/^refused {2}event-ingress {2}/m);
  });
});
