import { connectorCodehostPlugin } from '@countersign/connector-codehost';
import type { Client } from '@countersign/contract';
import type { JsonObject } from '@countersign/core/plugin';
import { outboundHttpPlugin } from '@countersign/outbound-http';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { CodeHost } from './code-host.spec.support.js';
import { connectorModel, waitUntilSettled } from './connectors.spec.support.js';

const CANARY = 'canary-8e41f7';
const SHA = 'c'.repeat(40);
const COMMENT = { repository: 'ada/engine', number: '=7', body: 'Oiled.' };
const STATUS = {
  repository: 'ada/engine',
  sha: SHA,
  state: 'success',
  context: 'review',
  description: 'Approved',
  targetUrl: 'https://runs.example/1',
};
const PULL = { repository: 'ada/engine', head: 'oil', base: 'main', title: 'Oil it', body: 'It squeaked.' };

describe('code host connectors', () => {
  let test: TestHost;
  let host: CodeHost;
  let client: Client;

  before(async () => {
    host = await CodeHost.start();
    test = await createTestHost({
      plugins: [outboundHttpPlugin, connectorCodehostPlugin],
      configuration: {
        Connectors: {
          AllowedNetworks: ['127.0.0.1'],
          CodeHost: { BaseUrl: `${host.service.url}/api/v3/`, Token: CANARY },
        },
      },
    });
    client = await test.client('admin');
  });

  beforeEach(() => host.clear());

  after(async () => {
    await test.close();
    await host.service.close();
  });

  let modelCount = 0;
  const run = async (jobType: string, inputs: Record<string, string>, variables: JsonObject = {}) => {
    const workflowId = `calls-${(modelCount += 1)}`;
    await test.deploy(connectorModel(workflowId, 'call', jobType, inputs));
    const { runId } = await client.startRun({ body: { workflowId, inputs: variables } });
    const events = await waitUntilSettled(client, runId);
    const { steps, variables: result } = await client.getRun({ runId });
    return {
      runId,
      events,
      answer: result['answer'],
      error: steps.find(({ elementId }) => elementId === 'call')?.error,
    };
  };
  const listPosts = () => host.service.calls.filter(({ method }) => method === 'POST');

  describe('the settings test', () => {
    const getApiCheck = async () =>
      (await client.testSettings({ target: 'codehost' })).checks.find(({ name }) => name === 'API');

    it('should ask the code host which user the token belongs to', async () => {
      expect(await getApiCheck()).to.include({
        ok: true,
        detail: 'The code host accepts the token, as user "ada-bot".',
      });
      expect(host.service.calls.map(({ method, path }) => `${method} ${path}`)).to.eql(['GET /api/v3/user']);
    });

    it('should report why the token is invalid without showing the token', async () => {
      host.faults.push({
        method: 'GET',
        respond: (_, response) =>
          response.writeHead(401, { 'Content-Type': 'application/json' }).end('{"message": "Bad credentials"}'),
      });

      const check = await getApiCheck();

      expect(check).to.include({ ok: false });
      expect(check?.detail)
        .to.match(/401|Bad credentials/)
        .and.not.contain(CANARY);
    });
  });

  describe('codehost.comment', () => {
    it('should comment on an issue without exposing the token in events, audit events or settings', async () => {
      const { runId, events, answer } = await run(
        'codehost.comment',
        { ...COMMENT, repository: '=codehost.repository.fullName', number: '=codehost.issue.number' },
        { codehost: { repository: { fullName: 'ada/engine' }, issue: { number: 7 } } },
      );

      expect(answer).to.eql({ id: 1, url: 'https://git.example/ada/engine/issues/7#1', created: true });
      expect(host.comments[0]?.body).to.match(/^Oiled\.\n\n<!-- countersign:[0-9a-f-]{36} -->$/);
      expect(listPosts()[0]?.headers).to.include({ authorization: `Bearer ${CANARY}` });
      expect(
        JSON.stringify([
          events,
          await client.getRun({ runId }),
          await client.listAuditEvents({ runId }),
          test.host.configuration.entries,
        ]),
      ).not.to.contain(CANARY);
    });

    it('should find the comment of an attempt whose connection broke, even on a later page', async () => {
      for (const body of ['First!', 'Second.', 'Third, <!-- countersign:quoted --> and more.']) host.addComment(body);
      host.faults.push({ method: 'POST', afterResponse: (_, response) => response.destroy() });

      const { answer } = await run('codehost.comment', COMMENT);

      expect(answer).to.eql({ id: 4, url: 'https://git.example/ada/engine/issues/7#4', created: false });
      expect(listPosts()).to.have.length(1);
    });

    it('should post again when the previous attempts did not reach the host', async () => {
      host.faults.push(
        { method: 'POST', respond: (_, response) => response.destroy() },
        { method: 'POST', respond: (_, response) => response.writeHead(502).end('<html>') },
      );

      const { answer } = await run('codehost.comment', COMMENT);

      expect(answer).to.deep.include({ id: 1, created: true });
      expect(listPosts()).to.have.length(3);
      expect(host.comments).to.have.length(1);
    });

    it('should retry when the host limits the rate', async () => {
      const limited = '{"message":"You have exceeded a secondary rate limit."}';
      host.faults.push({
        method: 'POST',
        respond: (_, response) =>
          response.writeHead(403, { 'Content-Type': 'application/json', 'Retry-After': '1' }).end(limited),
      });

      const { answer } = await run('codehost.comment', COMMENT);

      expect(answer).to.deep.include({ created: true });
      expect(listPosts()).to.have.length(2);
    });

    it('should raise an incident when the host refuses the comment', async () => {
      for (const [status, code] of [
        [401, 'codehost_unauthorized'],
        [403, 'codehost_forbidden'],
        [404, 'codehost_not_found'],
        [410, 'codehost_not_found'],
        [422, 'codehost_invalid'],
        [400, 'codehost_refused'],
      ] as const) {
        host.clear();
        host.faults.push({
          method: 'POST',
          respond: (_, response) =>
            response
              .writeHead(status, { 'Content-Type': 'application/json' })
              .end('{"message":"The comment was refused."}'),
        });
        const { error } = await run('codehost.comment', COMMENT);
        expect(error, String(status))
          .to.include({ code })
          .and.to.have.property('message')
          .that.includes('The comment was refused.');
        expect(listPosts(), String(status)).to.have.length(1);
      }
    });

    it('should refuse repository names that would change the request path, and redirects to another host', async () => {
      for (const repository of [
        '../user',
        '..',
        'ada/..',
        './engine',
        'ada/engine/issues',
        'ada/engine?x',
        'ada',
        '/engine',
      ]) {
        expect((await run('codehost.comment', { ...COMMENT, repository })).error, repository).to.include({
          code: 'connector_input_invalid',
        });
      }
      expect(host.service.calls).to.eql([]);
      host.faults.push({
        method: 'GET',
        respond: (_, response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/api/v3/repos' }).end(),
      });
      expect((await run('codehost.comment', COMMENT)).error).to.include({ code: 'outbound_host_not_allowed' });
    });
  });

  describe('codehost.status', () => {
    it('should set the status of a commit', async () => {
      const { answer } = await run('codehost.status', STATUS);

      expect(answer).to.eql({ state: 'success', context: 'review' });
      expect(host.statuses).to.eql([
        { state: 'success', context: 'review', description: 'Approved', target_url: 'https://runs.example/1' },
      ]);
    });

    it('should set the status again after a server error', async () => {
      host.faults.push({ method: 'POST', afterResponse: (_, response) => response.writeHead(500).end() });

      await run('codehost.status', { repository: 'ada/engine', sha: SHA, state: 'pending' });

      expect(host.statuses).to.eql([
        { state: 'pending', context: 'countersign' },
        { state: 'pending', context: 'countersign' },
      ]);
    });

    it('should accept only complete lower-case commit hashes', async () => {
      for (const sha of ['main', SHA.slice(1), `${SHA}/../x`, SHA.toUpperCase()])
        expect((await run('codehost.status', { ...STATUS, sha })).error, sha).to.include({
          code: 'connector_input_invalid',
        });
    });
  });

  describe('codehost.pullRequest', () => {
    it('should open a pull request', async () => {
      const { answer } = await run('codehost.pullRequest', { ...PULL, draft: '=true' });

      expect(answer).to.eql({ number: 1, url: 'https://git.example/ada/engine/pull/1', created: true });
      expect(host.pulls[0]).to.deep.include({
        title: 'Oil it',
        draft: true,
        head: { ref: 'oil', repo: { full_name: 'ada/engine' } },
        base: { ref: 'main' },
      });
    });

    it('should find the pull request of a failed attempt even if the pull request has since been closed', async () => {
      host.faults.push({
        method: 'POST',
        afterResponse: (_, response) => {
          for (const pull of host.pulls) pull.state = 'closed';
          response.destroy();
        },
      });

      const { answer } = await run('codehost.pullRequest', PULL);

      expect(answer).to.eql({ number: 1, url: 'https://git.example/ada/engine/pull/1', created: false });
      expect(listPosts()).to.have.length(1);
    });

    it('should return only the open pull request between the given branches of the repository', async () => {
      host.addPull('oil', {}, 'closed');
      host.addPull('oil');
      host.addPull('oil', {}, 'open', 'mallory/engine');
      host.addPull('grease');

      expect((await run('codehost.pullRequest', PULL)).answer).to.deep.include({ number: 2, created: false });
      expect((await run('codehost.pullRequest', { ...PULL, head: 'other' })).answer).to.deep.include({
        number: 5,
        created: true,
      });
    });

    it('should return the pull request that another user opened concurrently', async () => {
      host.faults.push({
        method: 'POST',
        respond: (_, response) => {
          host.addPull('oil');
          response.writeHead(422, { 'Content-Type': 'application/json' }).end('{"message":"Validation Failed"}');
        },
      });

      expect((await run('codehost.pullRequest', PULL)).answer).to.deep.include({ number: 1, created: false });
    });

    it('should raise an incident when the host finds nothing to merge', async () => {
      host.faults.push({
        method: 'POST',
        respond: (_, response) =>
          response.writeHead(422, { 'Content-Type': 'application/json' }).end('{"message":"Validation Failed"}'),
      });

      expect((await run('codehost.pullRequest', PULL)).error).to.include({ code: 'codehost_invalid' });
    });
  });
});
