import { connectorCodehostPlugin } from '@countersign/connector-codehost';
import { type JsonObject, RetryableFailure, ToolError } from '@countersign/core/plugin';
import { expect } from 'chai';
import { CodeHost } from './code-host.spec.support.js';
import { createToolBench, buildToolCall, type ToolBench } from './tools.spec.support.js';

const CANARY = 'canary-20f9aa';
const SHA = 'c'.repeat(40);
const KEY = '01890000-0000-7000-8000-000000000001';
const COMMENT = { repository: 'ada/engine', number: 7, body: 'Oiled.' };
const PULL = { repository: 'ada/engine', head: 'oil', base: 'main', title: 'Oil it' };
const STATUS = { repository: 'ada/engine', sha: SHA, state: 'success' };
const LABEL = { repository: 'ada/engine', number: 7, labels: ['squeak'] };

describe('code host tools of agents', () => {
  let host: CodeHost;
  let tools: ToolBench;

  before(async () => {
    host = await CodeHost.start();
    tools = createBench(['ada/engine', 'tools/*']);
  });

  beforeEach(() => host.clear());

  after(() => host.service.close());

  const createBench = (repositories: readonly string[]): ToolBench =>
    createToolBench(connectorCodehostPlugin, {
      Connectors: {
        AllowedNetworks: ['127.0.0.1'],
        CodeHost: { BaseUrl: `${host.service.url}/api/v3/`, Token: CANARY },
      },
      Agents: { CodeHost: { Repositories: [...repositories] } },
    });
  const listPosts = () => host.service.calls.filter(({ method }) => method === 'POST');
  const lookUpCall = (name: string, toolArguments: object) => {
    const tool = tools.tool(name);
    return tool.lookUp?.(tool.input.parse(toolArguments), buildToolCall({ idempotencyKey: KEY }));
  };

  it('should access only the repositories that are configured for agents, whatever the token permits', async () => {
    const calls: readonly (readonly [string, JsonObject])[] = [
      ['codehost.issue.read', { repository: 'ada/engine', number: 7 }],
      ['codehost.issue.label', LABEL],
      ['codehost.comment', COMMENT],
      ['codehost.status', STATUS],
      ['codehost.pullRequest', PULL],
    ];

    for (const [name, toolArguments] of calls) {
      for (const repository of ['ada/secrets', 'ada/engine2', 'eve/engine']) {
        expect(await tools.callAndGetError(name, { ...toolArguments, repository }), name)
          .to.be.instanceOf(ToolError)
          .and.include({ code: 'codehost_repository_not_allowed' });
      }
      expect(await createBench([]).callAndGetError(name, toolArguments), `${name}, by default`).to.include({
        code: 'codehost_repository_not_allowed',
      });
    }
    expect(host.service.calls).to.eql([]);
    expect(
      await tools.callAndGetError('codehost.issue.read', { repository: 'Tools/anything', number: 1 }),
      'any repository of an allowed owner',
    ).to.include({ code: 'codehost_not_found' });
  });

  it('should report the host that a call contacts', () => {
    expect(tools.tool('codehost.comment').hosts?.(COMMENT)).to.eql([host.service.url]);
  });

  describe('codehost.issue.read', () => {
    it('should return the issue and its newest comments', async () => {
      // given
      for (const body of ['one', 'two', 'three', 'four', 'five']) host.addComment(body, '2026-11-02T09:00:00Z');
      host.labels.push('bug');

      // when
      const { content, taint } = await tools.call<JsonObject>('codehost.issue.read', {
        repository: 'ada/engine',
        number: 7,
        comments: 3,
      });

      // then
      const issueComment = (body: string) => ({
        author: 'grace',
        createdAt: '2026-11-02T09:00:00Z',
        body,
        shortened: false,
      });
      expect(content).to.eql({
        number: 7,
        title: 'It squeaks',
        state: 'open',
        author: 'grace',
        labels: ['bug'],
        isPullRequest: false,
        url: 'https://git.example/ada/engine/issues/7',
        createdAt: '2026-11-01T09:00:00Z',
        body: 'The door squeaks loudly.',
        shortened: false,
        comments: ['three', 'four', 'five'].map(issueComment),
        commentsLeftOut: 2,
      });
      expect(taint, 'no taint of the output, so that the taint of the tool applies').to.equal(undefined);
    });

    it('should shorten long texts and mark them as shortened', async () => {
      host.issueBody = 'x'.repeat(30_000);
      host.addComment(`${'y'.repeat(3_999)}😀`);
      try {
        const { content } = await tools.call<{
          body: string;
          shortened: boolean;
          comments: { body: string; shortened: boolean }[];
        }>('codehost.issue.read', { repository: 'ada/engine', number: 7 });

        expect(content.body).to.have.length(20_000);
        expect(content.shortened).to.equal(true);
        expect(content.comments[0]?.body).to.equal(`${'y'.repeat(3_999)}\u{fffd}`);
        expect(content.comments[0]?.shortened).to.equal(true);
      } finally {
        host.issueBody = 'The door squeaks loudly.';
      }
    });

    it('should not request comments when the call asks for none', async () => {
      await tools.call('codehost.issue.read', { repository: 'ada/engine', number: 7 });

      expect(host.service.calls.map(({ path }) => path)).to.eql(['/api/v3/repos/ada/engine/issues/7']);
    });
  });

  describe('codehost.issue.label', () => {
    it('should add labels and change nothing when the call is repeated', async () => {
      host.labels.push('bug');

      const first = await tools.call('codehost.issue.label', LABEL);
      const second = await tools.call('codehost.issue.label', LABEL);

      expect(first.content).to.eql({ labels: ['bug', 'squeak'] });
      expect(second).to.eql(first);
      expect(tools.tool('codehost.issue.label')).to.include({
        effect: 'write',
        reversible: true,
        unknownOutcome: 'repeat',
      });
    });
  });

  describe('codehost.comment', () => {
    it('should comment only once when the call is repeated', async () => {
      const first = await tools.call<JsonObject>('codehost.comment', COMMENT);
      const second = await tools.call<JsonObject>('codehost.comment', COMMENT, { attempt: 2 });

      expect(first.content).to.deep.include({ id: 1, created: true });
      expect(second.content).to.deep.include({ id: 1, created: false });
      expect(host.comments).to.have.length(1);
    });

    it('should look up whether a call with an unknown outcome posted its comment', async () => {
      expect(await lookUpCall('codehost.comment', COMMENT)).to.eql({ executed: false });

      await tools.call('codehost.comment', COMMENT, { idempotencyKey: KEY });
      await tools.call('codehost.comment', { ...COMMENT, body: 'Another one.' }, { idempotencyKey: 'another' });

      expect(await lookUpCall('codehost.comment', COMMENT)).to.eql({
        executed: true,
        output: { content: { id: 1, url: 'https://git.example/ada/engine/issues/7#1', created: false } },
      });
      expect(tools.tool('codehost.comment').unknownOutcome).to.equal('lookup');
    });

    it('should find the comment on the next attempt after the connection broke', async () => {
      host.faults.push({ method: 'POST', afterResponse: (_, response) => void response.destroy() });

      expect(await tools.callAndGetError('codehost.comment', COMMENT))
        .to.be.instanceOf(RetryableFailure)
        .and.include({ code: 'outbound_connection_lost' });
      expect((await tools.call<JsonObject>('codehost.comment', COMMENT, { attempt: 2 })).content).to.deep.include({
        created: false,
      });
      expect(listPosts()).to.have.length(1);
    });

    it('should leave the outcome of the call unknown when the response is too large', async () => {
      host.faults.push({
        method: 'POST',
        afterResponse: (_, response) =>
          void response.writeHead(201, { 'Content-Type': 'application/json' }).end('x'.repeat(2_000_000)),
      });

      const failure = await tools.callAndGetError('codehost.comment', COMMENT);

      expect(failure).not.to.be.instanceOf(ToolError);
      expect(failure).not.to.be.instanceOf(RetryableFailure);
      expect(await lookUpCall('codehost.comment', COMMENT)).to.deep.include({ executed: true });
    });

    it('should report to the language model that the host does not find the issue', async () => {
      expect(await tools.callAndGetError('codehost.comment', { ...COMMENT, number: 8 }))
        .to.be.instanceOf(ToolError)
        .and.include({ code: 'codehost_not_found' });
    });

    it('should redact the token in error messages of the host', async () => {
      host.faults.push({
        method: 'GET',
        respond: (call, response) =>
          void response
            .writeHead(403, { 'Content-Type': 'application/json' })
            .end(JSON.stringify({ message: `Access denied for ${call.headers.authorization}` })),
      });

      const refusal = await tools.callAndGetError('codehost.comment', COMMENT);

      expect(refusal).to.include({ code: 'codehost_forbidden' });
      expect(refusal.message).to.include('[secret]').and.not.to.include(CANARY);
    });
  });

  describe('codehost.status and codehost.pullRequest', () => {
    it('should set a status and open a pull request as the connectors do', async () => {
      expect((await tools.call('codehost.status', STATUS)).content).to.eql({
        state: 'success',
        context: 'countersign',
      });
      expect(await lookUpCall('codehost.pullRequest', PULL)).to.eql({ executed: false });
      expect((await tools.call('codehost.pullRequest', PULL)).content).to.eql({
        number: 1,
        url: 'https://git.example/ada/engine/pull/1',
        created: true,
      });
      expect(await lookUpCall('codehost.pullRequest', PULL)).to.deep.include({ executed: true });
      expect(listPosts()).to.have.length(2);
    });
  });
});
