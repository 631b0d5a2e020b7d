import { createHmac, randomUUID } from 'node:crypto';
import type { JsonObject } from '@countersign/core';
import { createTestHost, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import {
  postGiteaEvent,
  postGithubEvent,
  getGithubBody,
  post,
  SECRET,
  startByMessageModel,
  triageModel,
} from './codehost.spec.support.js';

const OPENED_ISSUE = getGithubBody('issues', 'opened');
const COMMENTED_ISSUE = getGithubBody('issue_comment', 'created');
const CORRELATION_KEY = 'Codertocat/Hello-World#1';
const NOTHING_MATCHED = { duplicate: false, startedRuns: [], resumedRuns: [] };

describe('POST /webhooks/codehost', () => {
  let test: TestHost;

  before(async () => {
    test = await createTestHost({
      jobTypes: ['look'],
      configuration: { Integrations: { CodeHost: { Secret: SECRET } }, Limits: { WebhookBytes: 100_000 } },
    });
    await test.deploy(triageModel('triage'));
  });

  after(() => test.close());

  const getVariables = async (runId: string): Promise<JsonObject> =>
    (await (await test.client('viewer')).getRun({ runId })).variables as JsonObject;
  const countStartedRuns = async (): Promise<number> =>
    (await (await test.client('viewer')).listRuns({ workflowId: 'triage', limit: 200 })).items.length;

  it('should start a run on a GitHub event and resume the run on a later event about the same issue', async () => {
    // given
    const delivery = randomUUID();

    // when
    const { status, body } = await postGithubEvent(test, 'issues', OPENED_ISSUE, { 'X-GitHub-Delivery': delivery });

    // then
    expect(status).to.equal(202);
    expect(body).to.deep.include({
      deliveryId: delivery,
      event: 'issues',
      action: 'opened',
      duplicate: false,
      resumedRuns: [],
    });
    const [runId = ''] = body['startedRuns'] as string[];
    expect(await getVariables(runId)).to.have.nested.include({
      'codehost.host': 'github',
      'codehost.deliveryId': delivery,
      'codehost.event': 'issues',
      'codehost.action': 'opened',
      'codehost.correlationKey': CORRELATION_KEY,
      'codehost.repository.fullName': 'Codertocat/Hello-World',
      'codehost.issue.title': 'Spelling error in the README file',
    });

    // when
    await test.jobs.complete('look');
    await waitUntil(
      'the run waits for a comment',
      async () => (await (await test.client('viewer')).getRun({ runId })).status === 'blocked',
    );
    const resumeResponse = await postGithubEvent(test, 'issue_comment', COMMENTED_ISSUE);

    // then
    expect(resumeResponse.body).to.deep.include({ startedRuns: [], resumedRuns: [runId] });
    expect(await getVariables(runId)).to.have.nested.property('codehost.comment.author', 'Codertocat');
  });

  it('should process a repeated delivery once, even if it claims to come from another host', async () => {
    const runCountBefore = await countStartedRuns();
    const delivery = randomUUID();

    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        index % 2 === 0
          ? postGithubEvent(test, 'issues', OPENED_ISSUE, { 'X-GitHub-Delivery': delivery })
          : postGiteaEvent(test, 'issues', OPENED_ISSUE, delivery),
      ),
    );

    expect(responses.map(({ status }) => status)).to.eql(Array.from({ length: 8 }, () => 202));
    expect(responses.filter(({ body }) => body['duplicate'] === false)).to.have.length(1);
    const startedRunLists = new Set(responses.map(({ body }) => JSON.stringify(body['startedRuns'])));
    expect([...startedRunLists])
      .to.have.length(1)
      .and.not.include('[]');
    expect(await countStartedRuns()).to.equal(runCountBefore + 1);
  });

  it('should refuse every unsigned or wrongly signed request with the same 401 response', async () => {
    // given
    const runCountBefore = await countStartedRuns();
    const text = JSON.stringify(OPENED_ISSUE);
    const signature = `sha256=${createHmac('sha256', SECRET).update(text).digest('hex')}`;
    const githubHeaders = { 'X-GitHub-Event': 'issues', 'X-GitHub-Delivery': randomUUID() };

    // when
    const responses = await Promise.all([
      post(test, githubHeaders, text),
      post(test, { ...githubHeaders, 'X-Hub-Signature-256': '' }, text),
      post(test, { ...githubHeaders, 'X-Hub-Signature-256': signature.toUpperCase() }, text),
      post(test, { ...githubHeaders, 'X-Hub-Signature-256': signature }, `${text} `),
      post(test, { ...githubHeaders, 'X-Hub-Signature-256': signature }, text.replace('opened', 'edited')),
      post(test, { ...githubHeaders, 'X-Hub-Signature-256': signature, 'X-Gitlab-Token': SECRET }, text),
      post(
        test,
        {
          ...githubHeaders,
          'X-Hub-Signature-256': signature,
          'X-Gitea-Event': 'issues',
          'X-Gitea-Signature': '0'.repeat(64),
        },
        text,
      ),
      post(test, { 'X-Gitlab-Event': 'Issue Hook', 'X-Gitlab-Token': 'guessed' }, text),
      post(test, {}, text),
      post(test, { 'X-Hub-Signature-256': 'sha256=' }, '{'),
    ]);

    // then
    for (const { status, body, headers } of responses) {
      expect({ ...body, traceId: '' }).to.eql({ ...responses[0]?.body, traceId: '' });
      expect(status).to.equal(401);
      expect(body['code']).to.equal('invalid_signature');
      expect(headers.get('www-authenticate')).to.not.equal(null);
    }
    expect(await countStartedRuns()).to.equal(runCountBefore);
  });

  it('should respond with 400 to an invalid body that has a valid signature', async () => {
    for (const [event, body] of [
      ['issues', '{'],
      ['issues', '[]'],
      ['', '{}'],
      ['issues', '{"issue":{},"action":"a b"}'],
      ['pull_request', JSON.stringify(OPENED_ISSUE)],
    ] as const) {
      const { status, body: problem } = await postGithubEvent(test, event, body);
      expect({ status, code: problem['code'] }, body.slice(0, 30)).to.eql({ status: 400, code: 'invalid_event' });
    }
  });

  it('should accept a body with numbers that a variable cannot hold', async () => {
    // given
    const body = JSON.stringify(OPENED_ISSUE).replace(/^\{/, '{"trace": 9007199254740993, "load": 1e400,');

    // when
    const { status, body: responseBody } = await postGithubEvent(test, 'issues', body);

    // then
    expect([status, responseBody['action']]).to.deep.equal([202, 'opened']);
  });

  it('should refuse a form body with 415 and ask for application/json', async () => {
    const { status, body } = await postGithubEvent(
      test,
      'issues',
      `payload=${encodeURIComponent(JSON.stringify(OPENED_ISSUE))}`,
      {
        'Content-Type': 'application/x-www-form-urlencoded',
      },
    );

    expect({ status, code: body['code'] }).to.eql({ status: 415, code: 'unsupported_media_type' });
    expect(body['detail']).to.match(/application\/json/);
  });

  it('should refuse a body above the size limit with 413', async () => {
    const { status, body } = await postGithubEvent(test, 'issues', { ...OPENED_ISSUE, filler: 'x'.repeat(100_000) });

    expect({ status, code: body['code'] }).to.eql({ status: 413, code: 'payload_too_large' });
  });

  it('should accept events that match no run', async () => {
    await test.deploy(startByMessageModel('pinged', 'codehost.ping'));
    for (const [event, body] of [
      ['ping', getGithubBody('ping')],
      ['organization', getGithubBody('organization')],
    ] as const) {
      const response = await postGithubEvent(test, event, body);
      expect(response.status, event).to.equal(202);
      expect(response.body, event).to.deep.include({ event, ...NOTHING_MATCHED });
    }
  });

  it('should start the same workflow on an event of Gitea or GitLab', async () => {
    const fromGitea = await postGiteaEvent(test, 'issues', {
      action: 'opened',
      number: 3,
      issue: { number: 3, title: 'It squeaks' },
      repository: { full_name: 'ada/engine' },
      sender: { login: 'ada' },
    });
    const fromGitlab = await post(
      test,
      { 'X-Gitlab-Event': 'Issue Hook', 'X-Gitlab-Token': SECRET, 'X-Gitlab-Event-UUID': randomUUID() },
      JSON.stringify({
        object_kind: 'issue',
        user: { username: 'ada' },
        project: { path_with_namespace: 'works/steam/engine' },
        object_attributes: { iid: 3, title: 'It squeaks', action: 'open' },
      }),
    );

    for (const [{ status, body }, host, key] of [
      [fromGitea, 'gitea', 'ada/engine#3'],
      [fromGitlab, 'gitlab', 'works/steam/engine#3'],
    ] as const) {
      expect(status, host).to.equal(202);
      expect(body, host).to.deep.include({ event: 'issues', action: 'opened', duplicate: false });
      expect(await getVariables((body['startedRuns'] as string[])[0] ?? ''), host).to.have.nested.include({
        'codehost.host': host,
        'codehost.correlationKey': key,
        'codehost.sender': 'ada',
      });
    }
  });

  it('should report status "ok" in readiness', async () => {
    const { checks } = (await (
      await fetch(`${test.url}/api/health/ready`, {
        headers: { authorization: `Bearer ${await test.token('operator')}` },
      })
    ).json()) as { checks: { name: string; status: string }[] };

    expect(checks.find(({ name }) => name === 'codehost')).to.include({ status: 'ok' });
  });
});
