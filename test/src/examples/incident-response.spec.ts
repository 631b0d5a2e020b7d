import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import {
  startExample,
  startExampleService,
  type ExampleService,
  type RunningExample,
} from './examples.spec.support.js';

describe('example "incident response", run as described in its README', function () {
  this.timeout(120_000);

  let example: RunningExample;
  let service: ExampleService;

  before(async function () {
    // The test finds the processes of the server in /proc.
    if (process.platform !== 'linux') this.skip();
    const secret = randomBytes(32).toString('hex');
    service = await startExampleService('incident-response', 'service.mjs');
    example = await startExample(
      'incident-response',
      { Integrations__EventIngress__Sources__0__Secret: secret },
      { MONITORING_SECRET: secret, SERVICE: service.url },
    );
  });

  after(async () => {
    await example?.stop();
    await service?.stop();
  });

  it('should escalate to the lead, return requested changes to the agent and act after two approvals', async () => {
    // when
    const [, ...outputLines] = await example.runReadmeCommands();

    // then
    expect(outputLines).to.deep.equal([
      'A worker has stopped taking jobs from the queue. The runbook describes how to restart it.',
      'changes_requested',
      '2',
      'pending',
      'approved',
      'true',
    ]);
  });
});
