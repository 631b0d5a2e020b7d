import { createMigratedTestDatabase } from '@countersign/storage-postgres';
import { approvalModel, createTestHost, seconds, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { createHmac } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseProxy } from './database-proxy.spec.support.js';
import { HEALTH_DEADLINE_MS } from './health-deadline.spec.support.js';

const UNKNOWN_RUN_ID = '01938f5a-7c1e-7b62-9d53-000000000000';
const SECRET = 'hung-database-webhook-secret';
const WEBHOOK_BODY = JSON.stringify({
  action: 'opened',
  issue: { number: 7, title: 'x' },
  repository: { full_name: 'acme/shop' },
  sender: { login: 'mona' },
});
const JSON_BODY = { 'content-type': 'application/json' };

describe('database that hangs', function () {
  this.timeout(180_000);

  let dataDirectory: string;
  let database: Awaited<ReturnType<typeof createMigratedTestDatabase>>;
  let proxy: DatabaseProxy;
  let countersign: TestHost;
  let log: string[];
  let authorization: string;

  before(async () => {
    log = [];
    const collectMessage = (_fields: object, message: string) => void log.push(message);
    dataDirectory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-hung-'));
    database = await createMigratedTestDatabase();
    proxy = await DatabaseProxy.start(database.connectionString);
    const environment = {
      Storage__Postgres__ConnectionString: proxy.connectionString,
      Limits__RequestTimeout: 'PT2S',
      Integrations__CodeHost__Secret: SECRET,
    };
    countersign = await createTestHost({
      shareDataWith: { database, dataDirectory },
      environment,
      logger: { debug: () => undefined, info: () => undefined, warn: collectMessage, error: collectMessage },
    });
    await countersign.deploy(approvalModel('hung'));
    authorization = `Bearer ${await countersign.token('admin')}`;
    proxy.hang();
  });

  after(async () => {
    proxy.repair();
    await waitUntil(
      'the server is ready again',
      async () => (await fetch(`${countersign.url}/api/health/ready`)).ok,
      60,
    );
    await countersign.close();
    await proxy.close();
    await database.drop();
    await rm(dataDirectory, { recursive: true, force: true });
  });

  const call = (path: string, init: RequestInit = {}, deadlineMs = seconds(20)) =>
    fetch(`${countersign.url}${path}`, {
      ...init,
      headers: { authorization, ...init.headers },
      signal: AbortSignal.timeout(deadlineMs),
    });

  const signatureHeaders = (body: string) => ({
    'x-github-event': 'issues',
    'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    'x-hub-signature-256': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
  });

  const REQUESTS: Record<string, () => Promise<Response>> = {
    'a request for a list': () => call('/api/runs'),
    'a request for one run': () => call(`/api/runs/${UNKNOWN_RUN_ID}`),
    'a request for approvals': () => call('/api/approvals'),
    'a request for the audit trail': () => call('/api/audit-events'),
    'a change of settings': () =>
      call('/api/settings', { method: 'PATCH', headers: JSON_BODY, body: '{"values":{"Log:Level":"warn"}}' }),
    'a start of a run': () => call('/api/runs', { method: 'POST', headers: JSON_BODY, body: '{"workflowId":"hung"}' }),
    'an upload': () => call(`/api/runs/${UNKNOWN_RUN_ID}/artifacts/a`, { method: 'POST', body: 'x' }),
    'an upload that is larger than the read buffer': () =>
      call(`/api/runs/${UNKNOWN_RUN_ID}/artifacts/a`, { method: 'POST', body: 'x'.repeat(2_000_000) }),
    'a request for an evidence pack': () => call(`/api/runs/${UNKNOWN_RUN_ID}/evidence-pack`),
    'a webhook request': () =>
      call('/webhooks/codehost', {
        method: 'POST',
        headers: { ...JSON_BODY, ...signatureHeaders(WEBHOOK_BODY) },
        body: WEBHOOK_BODY,
      }),
    'a stream of changes': () => call('/api/events', { headers: { accept: 'text/event-stream' } }),
    'a stream of run events': () =>
      call(`/api/runs/${UNKNOWN_RUN_ID}/events`, { headers: { accept: 'text/event-stream' } }),
  };

  for (const [caseName, request] of Object.entries(REQUESTS)) {
    it(`should cause a 503 response with Retry-After to ${caseName}`, async () => {
      const response = await request();

      expect(response.status, await response.clone().text()).to.equal(503);
      expect(Number(response.headers.get('retry-after'))).to.be.greaterThan(0);
      expect(await response.json()).to.include({ code: 'service_unavailable', retryable: true });
    });
  }

  it('should not block health and metrics, which report the failure', async () => {
    const callWithDeadline = (path: string) => call(path, {}, HEALTH_DEADLINE_MS);
    expect(await (await callWithDeadline('/api/health/engine')).json()).to.include({ status: 'fail' });
    expect((await callWithDeadline('/api/health/ready')).status).to.equal(503);
    expect((await callWithDeadline('/api/health/live')).status).to.equal(200);
    expect(await (await callWithDeadline('/metrics')).text()).to.match(/^countersign_messages_buffered nan$/im);
  });

  it('should not flood the log', async () => {
    await waitUntil(
      'a failed iteration is logged',
      async () => log.includes('an iteration of a background loop failed; will retry'),
      60,
    );

    const countEntries = (message: string) => log.filter((each) => each === message).length;
    // Each loop logs at most one entry per minute, and the outage lasts hardly longer than a minute.
    expect(countEntries('an iteration of a background loop failed; will retry')).to.be.at.most(2 * 8);
    expect(countEntries('the saved settings cannot be applied')).to.be.at.most(2);
  });
});
