import type { JsonObject } from '@countersign/core';
import { createTestHost, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { SECRET, startByMessageModel, triageModel } from './codehost.spec.support.js';
import { GITEA_BINARY, GiteaServer } from './gitea-server.spec.support.js';

describe('webhooks of a real Gitea or Forgejo', () => {
  let test: TestHost;
  let gitea: GiteaServer;

  before(async function () {
    if (GITEA_BINARY === '') this.skip();
    this.timeout(120_000);
    test = await createTestHost({
      jobTypes: ['look'],
      configuration: { Integrations: { CodeHost: { Secret: SECRET, Hosts: ['gitea'], RejectReplayedBodies: true } } },
    });
    gitea = await GiteaServer.start();
    await gitea.call('POST', '/user/repos', { name: 'engine', auto_init: true, default_branch: 'main' });
    const events = ['issues', 'issue_comment', 'push', 'pull_request'];
    await gitea.call('POST', '/repos/ada/engine/hooks', {
      type: 'gitea',
      active: true,
      events,
      config: { url: `${test.url}/webhooks/codehost`, content_type: 'json', secret: SECRET },
    });
  });

  after(async () => {
    await gitea?.stop();
    await test?.close();
  });

  const listRuns = async (workflowId: string) =>
    (await (await test.client('viewer')).listRuns({ workflowId, limit: 200 })).items;
  const getCodehostVariable = async (runId: string): Promise<JsonObject> =>
    ((await (await test.client('viewer')).getRun({ runId })).variables as { codehost: JsonObject }).codehost;
  const waitForRun = (workflowId: string) =>
    waitUntil(`${workflowId} is started`, async () => (await listRuns(workflowId))[0]?.runId);

  it('should start a run for an issue and resume the run on a comment', async () => {
    // given
    await test.deploy(triageModel('triage'));

    // when
    await gitea.call('POST', '/repos/ada/engine/issues', { title: 'It squeaks', body: 'Listen. ✓' });

    // then
    const runId = await waitForRun('triage');
    expect(await getCodehostVariable(runId)).to.have.nested.include({
      'host': 'gitea',
      'correlationKey': 'ada/engine#1',
      'sender': 'ada',
      'repository.defaultBranch': 'main',
      'issue.title': 'It squeaks',
      'issue.body': 'Listen. ✓',
      'issue.state': 'open',
      'issue.author': 'ada',
    });

    // when
    await test.jobs.complete('look');
    await waitUntil('the run waits', async () => (await listRuns('triage'))[0]?.status === 'blocked');
    await gitea.call('POST', '/repos/ada/engine/issues/1/comments', { body: 'I hear it.' });

    // then
    await waitUntil('the run is completed', async () => (await listRuns('triage'))[0]?.outcome === 'completed');
    expect(await getCodehostVariable(runId)).to.have.nested.property('comment.body', 'I hear it.');
  });

  it('should start runs with the data of a push and of a pull request', async () => {
    // given
    for (const [id, message] of [
      ['pushed', 'codehost.push'],
      ['asked', 'codehost.pull_request.opened'],
    ] as const)
      await test.deploy(startByMessageModel(id, message));

    // when
    await gitea.call('POST', '/repos/ada/engine/contents/oil.txt', {
      content: Buffer.from('oil').toString('base64'),
      message: 'Oil it',
      branch: 'main',
      new_branch: 'oil',
    });
    await gitea.call('POST', '/repos/ada/engine/pulls', { title: 'Oil it', head: 'oil', base: 'main' });

    // then
    expect(await getCodehostVariable(await waitForRun('pushed'))).to.have.nested.include({
      'correlationKey': 'ada/engine',
      'push.ref': 'refs/heads/oil',
      'push.pusher': 'ada',
      'push.commits[0].message': 'Oil it\n',
    });
    expect(await getCodehostVariable(await waitForRun('asked'))).to.have.nested.include({
      'correlationKey': 'ada/engine#2',
      'pullRequest.head.ref': 'oil',
      'pullRequest.base.ref': 'main',
      'pullRequest.merged': false,
    });
  });
});
