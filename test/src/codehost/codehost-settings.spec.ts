import { randomUUID } from 'node:crypto';
import { Secret, type JsonObject } from '@countersign/core';
import { createTestHost, type TestHost, type TestHostOptions } from '@countersign/testing';
import { expect } from 'chai';
import { TestClock } from '../conformance/test-clock.js';
import { gitea, github, githubBody, post, SECRET, triageModel } from './codehost.spec.support.js';

const opened = githubBody('issues', 'opened');

describe('the settings of POST /webhooks/codehost', () => {
  const open: TestHost[] = [];

  afterEach(async () => {
    for (const test of open.splice(0)) await test.close();
  });

  const host = async (CodeHost: JsonObject, more: TestHostOptions = {}): Promise<TestHost> => {
    const test = await createTestHost({ jobTypes: ['look'], configuration: { Integrations: { CodeHost } }, ...more });
    open.push(test);
    await test.deploy(triageModel('triage'));
    return test;
  };

  it('should verify nothing without a secret, and say so loudly', async () => {
    // given
    const warnings: string[] = [];
    const logger = {
      debug: () => {},
      info: () => {},
      warn: (_: object, text: string) => void warnings.push(text),
      error: () => {},
    };
    const test = await host({}, { logger });

    // when
    const { status, body } = await post(
      test,
      { 'X-GitHub-Event': 'issues', 'X-GitHub-Delivery': randomUUID() },
      JSON.stringify(opened),
    );

    // then
    expect(status).to.equal(202);
    expect(body['startedRuns']).to.have.length(1);
    expect(warnings.filter((text) => text.includes('Nothing verifies who sends to /webhooks/codehost'))).to.have.length(
      1,
    );
    const ready = await fetch(`${test.url}/api/health/ready`);
    const { checks } = (await ready.json()) as { checks: { name: string; status: string }[] };
    expect(ready.status).to.equal(200);
    expect(checks.find(({ name }) => name === 'codehost')).to.include({ status: 'warn' });
  });

  it('should take what is signed with the secret before, until that holds no more', async () => {
    // given
    const clock = new TestClock();
    const rotated = new Secret('the secret that came after it', { value: SECRET, validUntil: clock.time + 60_000 });
    const test = await host({ Secret: rotated as unknown as string }, { clock });

    // when
    const inTime = await github(test, 'issues', opened);
    clock.setTo(clock.time + 60_000);
    const late = await github(test, 'issues', opened);

    // then
    expect(inTime).to.include({ status: 202 });
    expect(late).to.include({ status: 401 });
  });

  it('should take deliveries of the kinds of hosts that are named alone', async () => {
    const test = await host({ Secret: SECRET, Hosts: ['gitea'] });

    expect(await gitea(test, 'issues', opened)).to.include({ status: 202 });
    expect(await github(test, 'issues', opened)).to.include({ status: 401 });
    expect(
      await post(test, { 'X-Gitlab-Event': 'Push Hook', 'X-Gitlab-Token': SECRET }, '{"object_kind":"push"}'),
    ).to.include({ status: 401 });
  });

  it('should take the same body again for a repeat, whatever its id, where that is asked for', async () => {
    const test = await host({ Secret: SECRET, RejectReplayedBodies: true });

    const first = await github(test, 'issues', opened);
    const again = await github(test, 'issues', opened);

    expect(first.body['startedRuns']).to.have.length(1);
    expect(again.body).to.deep.include({ duplicate: true, startedRuns: first.body['startedRuns'] });
  });

  it('should let nothing in while it is switched off', async () => {
    const test = await host({ Enabled: false, Secret: SECRET });

    expect(await github(test, 'issues', opened)).to.include({ status: 404 });
  });
});
