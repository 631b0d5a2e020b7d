import { randomUUID } from 'node:crypto';
import { Secret, StoragePort, type JsonObject } from '@countersign/core';
import type { RunState } from '@countersign/model';
import { createTestHost, type TestHost, type TestHostOptions, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { TestClock } from '../conformance/test-clock.js';
import { sendRaw } from '../http/raw-request.spec.support.js';
import { postGiteaEvent, postGithubEvent, getGithubBody, post, SECRET, triageModel } from './codehost.spec.support.js';

const OPENED_ISSUE = getGithubBody('issues', 'opened');

describe('settings of POST /webhooks/codehost', () => {
  const openHosts: TestHost[] = [];

  afterEach(async () => {
    for (const test of openHosts.splice(0)) await test.close();
  });

  const startHost = async (CodeHost: JsonObject, testOptions: TestHostOptions = {}): Promise<TestHost> => {
    const test = await createTestHost({
      jobTypes: ['look'],
      configuration: { Integrations: { CodeHost } },
      ...testOptions,
    });
    openHosts.push(test);
    await test.deploy(triageModel('triage'));
    return test;
  };

  const postUnsigned = (test: TestHost, extraHeaders: Readonly<Record<string, string>> = {}) =>
    post(
      test,
      { 'X-GitHub-Event': 'issues', 'X-GitHub-Delivery': randomUUID(), ...extraHeaders },
      JSON.stringify(OPENED_ISSUE),
    );
  const readiness = async (test: TestHost): Promise<{ status: number; codehost: object | undefined }> => {
    const response = await fetch(`${test.url}/api/health/ready`, {
      headers: { authorization: `Bearer ${await test.token('operator')}` },
    });
    const { checks } = (await response.json()) as { checks: { name: string; status: string }[] };
    return { status: response.status, codehost: checks.find(({ name }) => name === 'codehost') };
  };

  it('should respond with 404 and start no run until a setting enables it', async () => {
    // given
    const test = await startHost({});

    // when
    const { status, body } = await postUnsigned(test);

    // then
    expect(status).to.equal(404);
    expect(body).to.include({ code: 'route_not_found' });
    expect((await readiness(test)).codehost).to.include({ status: 'ok' });
    expect((await (await test.client('viewer')).listRuns({})).items).to.deep.equal([]);
  });

  it('should accept unsigned deliveries if enabled without a secret, with a warning and tainted variables', async () => {
    // given
    const warnings: string[] = [];
    const logger = {
      debug: () => {},
      info: () => {},
      warn: (_: object, message: string) => void warnings.push(message),
      error: () => {},
    };
    const test = await startHost({ Enabled: true }, { logger });

    // when
    const { status, body } = await postUnsigned(test);

    // then
    expect(status).to.equal(202);
    const [runId = ''] = body['startedRuns'] as string[];
    const client = await test.client('viewer');
    expect((await client.getRun({ runId })).startedBy).to.equal('codehost-webhook:codehost');
    const pack = await client.getEvidencePack({ runId });
    expect(pack.events[0]).to.nested.include({ 'private.actor.type': 'service' });
    const state = JSON.parse((await test.host.get(StoragePort).findRun(runId))?.state ?? '') as RunState;
    expect(state.instances[state.root]?.taints).to.deep.equal({ codehost: ['webhook'] });
    expect(
      warnings.filter((message) =>
        message.includes('Deliveries from programs on this machine to /webhooks/codehost are not verified'),
      ),
    ).to.have.length(1);
    const ready = await waitUntil('it is ready', async () => {
      const each = await readiness(test);
      return each.status === 200 && each;
    });
    expect(ready).to.have.nested.property('codehost.status', 'warn');
  });

  it('should refuse unsigned deliveries from other machines unless AllowUnsigned is set', async () => {
    // given: a proxy on this machine forwards requests of other machines
    const localOnlyHost = await startHost({ Enabled: true });
    const permissiveHost = await startHost({ Enabled: true, AllowUnsigned: true });
    const forwardedHeaders = { 'X-Forwarded-For': '203.0.113.7' };

    // then
    expect(await postUnsigned(localOnlyHost, forwardedHeaders)).to.nested.include({
      'status': 401,
      'body.code': 'invalid_signature',
    });
    for (const [name, value] of [
      ['Via', '1.1 proxy'],
      ['X-Forwarded-Proto', 'https'],
      ['CF-Connecting-IP', '203.0.113.7'],
    ] as const)
      expect(await postUnsigned(localOnlyHost, { [name]: value }), name).to.include({ status: 401 });
    // A proxy that adds no header forwards the original Host, or uses an older version of HTTP.
    const body = JSON.stringify(OPENED_ISSUE);
    const sendRawRequest = (version: string, host: string): Promise<string> =>
      sendRaw(
        localOnlyHost.url,
        `POST /webhooks/codehost HTTP/${version}\r\nHost: ${host}\r\nConnection: close\r\nContent-Type: application/json\r\nX-GitHub-Event: issues\r\nX-GitHub-Delivery: ${randomUUID()}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
    expect(await sendRawRequest('1.1', '203.0.113.9:8080')).to.match(/^HTTP\/1.1 401 /);
    expect(await sendRawRequest('1.0', '127.0.0.1')).to.match(/^HTTP\/1.1 401 /);
    expect(await sendRawRequest('1.1', '127.0.0.1')).to.match(/^HTTP\/1.1 202 /);
    expect(await postUnsigned(permissiveHost, forwardedHeaders)).to.include({ status: 202 });
  });

  it('should not let an admin allow unsigned deliveries through the API', async () => {
    const test = await startHost({ Secret: SECRET });
    const headers = { 'Authorization': `Bearer ${await test.token('admin')}`, 'Content-Type': 'application/json' };

    const response = await fetch(`${test.url}/api/settings`, {
      method: 'PATCH',
      headers,
      body: JSON.stringify({ values: { 'Integrations:CodeHost:AllowUnsigned': true } }),
    });

    expect(response.status).to.equal(422);
  });

  it('should accept signatures of the previous secret until it expires', async () => {
    // given
    const clock = new TestClock();
    const rotatedSecret = new Secret('the secret that came after it', {
      value: SECRET,
      validUntil: clock.time + 60_000,
    });
    const test = await startHost({ Secret: rotatedSecret as unknown as string }, { clock });

    // when
    const responseBeforeExpiry = await postGithubEvent(test, 'issues', OPENED_ISSUE);
    clock.setTo(clock.time + 60_000);
    const responseAfterExpiry = await postGithubEvent(test, 'issues', OPENED_ISSUE);

    // then
    expect(responseBeforeExpiry).to.include({ status: 202 });
    expect(responseAfterExpiry).to.include({ status: 401 });
  });

  it('should accept deliveries only from the configured kinds of code hosts', async () => {
    const test = await startHost({ Secret: SECRET, Hosts: ['gitea'] });

    expect(await postGiteaEvent(test, 'issues', OPENED_ISSUE)).to.include({ status: 202 });
    expect(await postGithubEvent(test, 'issues', OPENED_ISSUE)).to.include({ status: 401 });
    expect(
      await post(test, { 'X-Gitlab-Event': 'Push Hook', 'X-Gitlab-Token': SECRET }, '{"object_kind":"push"}'),
    ).to.include({ status: 401 });
  });

  it('should treat an identical body with a new delivery id as a duplicate if RejectReplayedBodies is set', async () => {
    const test = await startHost({ Secret: SECRET, RejectReplayedBodies: true });

    const firstResponse = await postGithubEvent(test, 'issues', OPENED_ISSUE);
    const repeatedResponse = await postGithubEvent(test, 'issues', OPENED_ISSUE);

    expect(firstResponse.body['startedRuns']).to.have.length(1);
    expect(repeatedResponse.body).to.deep.include({ duplicate: true, startedRuns: firstResponse.body['startedRuns'] });
  });

  it('should respond with 404 to signed deliveries when it is disabled', async () => {
    const test = await startHost({ Enabled: false, Secret: SECRET });

    expect(await postGithubEvent(test, 'issues', OPENED_ISSUE)).to.include({ status: 404 });
  });
});
