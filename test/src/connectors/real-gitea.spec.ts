import { connectorCodehostPlugin } from '@countersign/connector-codehost';
import { outboundHttpPlugin } from '@countersign/outbound-http';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { GITEA_BINARY, GiteaServer } from '../codehost/gitea-server.spec.support.js';
import { connectorModel, waitUntilSettled } from './connectors.spec.support.js';

const REPOSITORY = '/repos/ada/engine';

describe('code host connectors with a real Gitea or Forgejo', () => {
  let test: TestHost;
  let gitea: GiteaServer;

  before(async function () {
    if (GITEA_BINARY === '') this.skip();
    this.timeout(120_000);
    gitea = await GiteaServer.start();
    await gitea.call('POST', '/user/repos', { name: 'engine', auto_init: true, default_branch: 'main' });
    await gitea.call('POST', `${REPOSITORY}/issues`, { title: 'It squeaks' });
    await gitea.call('POST', `${REPOSITORY}/contents/oil.txt`, {
      content: Buffer.from('oil').toString('base64'),
      message: 'Oil it',
      branch: 'main',
      new_branch: 'oil',
    });
    test = await createTestHost({
      plugins: [outboundHttpPlugin, connectorCodehostPlugin],
      configuration: {
        Connectors: {
          AllowedNetworks: ['127.0.0.1'],
          CodeHost: { BaseUrl: gitea.apiUrl, Token: await gitea.createToken() },
        },
      },
    });
  });

  after(async () => {
    await test?.close();
    await gitea?.stop();
  });

  let modelCount = 0;
  const run = async (jobType: string, inputs: Record<string, string>) => {
    const client = await test.client('admin');
    const workflowId = `calls-${(modelCount += 1)}`;
    const inputsWithRepository = { repository: 'ada/engine', ...inputs };
    await test.deploy(connectorModel(workflowId, 'call', jobType, inputsWithRepository));
    const { runId } = await client.startRun({ body: { workflowId } });
    await waitUntilSettled(client, runId);
    const { steps, variables } = await client.getRun({ runId });
    return { answer: variables['answer'], error: steps.find(({ elementId }) => elementId === 'call')?.error };
  };

  it('should comment on an issue', async () => {
    const { answer } = await run('codehost.comment', { number: '=1', body: 'Oiled.' });

    const comments = await gitea.call<{ id: number; body: string }[]>('GET', `${REPOSITORY}/issues/1/comments`);
    expect(comments.map(({ body }) => body.split('\n')[0])).to.eql(['Oiled.']);
    expect(answer).to.deep.include({ id: comments[0]?.id, created: true });
  });

  it('should set the status of a commit', async () => {
    const { commit } = await gitea.call<{ commit: { id: string } }>('GET', `${REPOSITORY}/branches/oil`);

    const { answer } = await run('codehost.status', { sha: commit.id, state: 'success', context: 'review' });

    expect(answer).to.eql({ state: 'success', context: 'review' });
    expect(await gitea.call('GET', `${REPOSITORY}/commits/${commit.id}/status`)).to.include({ state: 'success' });
  });

  it('should open a pull request only once', async () => {
    const pull = { head: 'oil', base: 'main', title: 'Oil it' };

    const { answer } = await run('codehost.pullRequest', pull);
    const { answer: secondAnswer } = await run('codehost.pullRequest', pull);

    expect(answer).to.deep.include({ number: 2, created: true });
    expect(secondAnswer).to.deep.include({ number: 2, created: false });
    expect(await gitea.call<unknown[]>('GET', `${REPOSITORY}/pulls?state=all`)).to.have.length(1);
  });

  it('should raise an incident when Gitea does not find the repository', async () => {
    expect((await run('codehost.comment', { repository: 'ada/missing', number: '=1', body: 'x' })).error).to.include({
      code: 'codehost_not_found',
    });
  });
});
