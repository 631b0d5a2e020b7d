import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import {
  startExample,
  startExampleService,
  type ExampleService,
  type RunningExample,
} from './examples.spec.support.js';

describe('example "issue triage", run as described in its README', function () {
  this.timeout(120_000);

  let example: RunningExample;
  let codeHost: ExampleService;

  before(async function () {
    // The test finds the processes of the server in /proc.
    if (process.platform !== 'linux') this.skip();
    const secret = randomBytes(32).toString('hex');
    codeHost = await startExampleService('issue-triage', 'codehost.mjs');
    const environment = {
      Integrations__CodeHost__Secret: secret,
      Connectors__CodeHost__Token: 'any-token-will-do',
      Connectors__CodeHost__BaseUrl: codeHost.url,
    };
    example = await startExample('issue-triage', environment, { CODEHOST_SECRET: secret, HOST: codeHost.url });
  });

  after(async () => {
    await example?.stop();
    await codeHost?.stop();
  });

  it('should ask a question, propose changes and write only the approved changes', async () => {
    // when
    const lines = await example.runReadmeCommands();

    // then
    expect(lines[1]).to.equal('Issue "Totals are rounded twice": which amount is correct?');
    expect(lines[2]).to.equal('the basket or the invoice');
    expect(lines.filter((line) => line === 'answered' || line === 'approved')).to.deep.equal([
      'answered',
      'approved',
      'approved',
    ]);
    expect(lines.join('\n')).to.contain('According to the team, the invoice is right');
    expect(lines).to.include.members(['bug', 'Thank you, Ann. The invoice is right; we will fix the basket.']);
    expect(lines.slice(-4).map((line) => line.trimEnd())).to.deep.equal([
      'codehost.issue.read  completed',
      'human.ask  completed',
      'codehost.issue.label  completed',
      'codehost.comment  completed  approver',
    ]);
  });
});
