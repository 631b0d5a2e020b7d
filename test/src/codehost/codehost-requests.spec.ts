import { createHmac, randomUUID } from 'node:crypto';
import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { JsonObject } from '@countersign/core';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { getGithubBody, SECRET, triageModel } from './codehost.spec.support.js';

/** Returns the body of an event for an issue. An active run prevents another start for the same issue number. */
const buildOpenedIssue = (number: number): string => {
  const body = getGithubBody('issues', 'opened');
  return JSON.stringify({ ...body, issue: { ...(body['issue'] as JsonObject), number } });
};
const OPENED_ISSUE = buildOpenedIssue(1);

describe('unusual and malicious requests to /webhooks/codehost', () => {
  let test: TestHost;

  before(async () => {
    test = await createTestHost({
      jobTypes: ['look'],
      configuration: { Integrations: { CodeHost: { Secret: SECRET } } },
    });
    await test.deploy(triageModel('triage'));
  });

  after(() => test.close());

  const signature = (body: Buffer | string) => `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;

  /** Sends the headers unchanged, and the body in several pieces if there are several. */
  const send = (headers: OutgoingHttpHeaders, ...pieces: (Buffer | string)[]) =>
    new Promise<{ status: number; body: JsonObject }>((resolve, reject) => {
      const allHeaders = {
        'Content-Type': 'application/json',
        'X-GitHub-Event': 'issues',
        'X-GitHub-Delivery': randomUUID(),
        ...headers,
      };
      const request = httpRequest(
        `${test.url}/webhooks/codehost`,
        { method: 'POST', headers: allHeaders },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as JsonObject }));
        },
      );
      request.on('error', reject);
      for (const piece of pieces) request.write(piece);
      request.end();
    });

  it('should be accepted with header names in any case and a body in several chunks', async () => {
    const { status, body } = await send(
      { 'x-HUB-signature-256': signature(OPENED_ISSUE) },
      OPENED_ISSUE.slice(0, 100),
      OPENED_ISSUE.slice(100),
    );

    expect(status).to.equal(202);
    expect(body['startedRuns']).to.have.length(1);
  });

  it('should be refused if a significant header occurs twice', async () => {
    for (const headers of [
      { 'X-Hub-Signature-256': [signature(OPENED_ISSUE), signature(OPENED_ISSUE)] },
      { 'X-Hub-Signature-256': [signature(OPENED_ISSUE), 'sha256='] },
    ]) {
      expect(await send(headers, OPENED_ISSUE)).to.deep.include({ status: 401 });
    }
    expect(
      (
        await send(
          { 'X-Hub-Signature-256': signature(OPENED_ISSUE), 'X-GitHub-Event': ['issues', 'ping'] },
          OPENED_ISSUE,
        )
      ).body,
    ).to.include({ code: 'invalid_event' });
  });

  it('should be refused with 415 if the body is compressed', async () => {
    const compressedBody = gzipSync(OPENED_ISSUE);

    expect(
      await send({ 'X-Hub-Signature-256': signature(compressedBody), 'Content-Encoding': 'gzip' }, compressedBody),
    ).to.deep.include({ status: 415 });
  });

  it('should be refused if the body is not UTF-8', async () => {
    const body = Buffer.from(OPENED_ISSUE.replace('Spelling', 'Sp\u0000elling'), 'utf8');
    body[body.indexOf(0)] = 0xff;

    expect((await send({ 'X-Hub-Signature-256': signature(body) }, body)).body).to.include({ code: 'invalid_event' });
  });

  it('should start a run without polluting prototypes, even with a deeply nested body', async () => {
    const pollutingBody = buildOpenedIssue(2).replace(
      '{',
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},',
    );
    const deepBody = buildOpenedIssue(3).replace('{', `{"deep":${'['.repeat(50_000)}${']'.repeat(50_000)},`);

    for (const body of [pollutingBody, deepBody]) {
      const response = await send({ 'X-Hub-Signature-256': signature(body) }, body);
      expect(response.status).to.equal(202);
      const [runId = ''] = response.body['startedRuns'] as string[];
      const { variables } = await (await test.client('viewer')).getRun({ runId });
      expect(Object.keys(variables)).to.eql(['codehost']);
    }
    expect(({} as JsonObject)['polluted']).to.equal(undefined);
  });
});
