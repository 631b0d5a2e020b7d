import { approvalModel, createTestHost, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import pg from 'pg';

const FAILED_COMMANDS =
  /^(?:could not commit a batch of commands|could not write a command|could not determine whether a command was written)$/;

describe('database that accepts no connections', function () {
  this.timeout(60_000);

  let host: TestHost;
  let admin: pg.Client;
  let databaseName: string;
  let logMessages: string[];
  let authorization: string;

  beforeEach(async () => {
    logMessages = [];
    const collectMessage = (_fields: object, message: string) => void logMessages.push(message);
    host = await createTestHost({
      logger: { debug: collectMessage, info: collectMessage, warn: collectMessage, error: collectMessage },
    });
    const url = new URL(host.database.connectionString);
    databaseName = url.pathname.slice(1);
    url.pathname = '/postgres';
    admin = new pg.Client({ connectionString: url.href });
    await admin.connect();
    await host.deploy(approvalModel('refused'));
    authorization = `Bearer ${await host.token('admin')}`;
  });

  afterEach(async () => {
    await allowConnections(true);
    await admin.end();
    await host.close();
  });

  const allowConnections = (areAllowed: boolean) =>
    admin.query(`ALTER DATABASE ${pg.escapeIdentifier(databaseName)} ALLOW_CONNECTIONS ${areAllowed}`);

  async function refuseConnections(): Promise<void> {
    await allowConnections(false);
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [databaseName]);
  }

  const JSON_BODY = { 'content-type': 'application/json' };
  const call = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${host.url}${path}`, { ...init, headers: { authorization, ...init.headers } });
  const start = (): Promise<Response> =>
    call('/api/runs', { method: 'POST', headers: JSON_BODY, body: '{"workflowId":"refused"}' });

  it('should cause a 503 response with Retry-After for every kind of request until it accepts connections again', async () => {
    // given
    const runId = '01938f5a-7c1e-7b62-9d53-000000000000';
    const requests: Record<string, () => Promise<Response>> = {
      'a list': () => call('/api/runs'),
      'a detail': () => call(`/api/runs/${runId}`),
      'approvals': () => call('/api/approvals'),
      'the audit trail': () => call('/api/audit-events'),
      'settings': () =>
        call('/api/settings', { method: 'PATCH', headers: JSON_BODY, body: '{"values":{"Log:Level":"warn"}}' }),
      'a start': start,
      'an upload': () => call(`/api/runs/${runId}/artifacts/a`, { method: 'POST', body: 'x' }),
      'an evidence pack': () => call(`/api/runs/${runId}/evidence-pack`),
      'a stream': () => call('/api/events', { headers: { accept: 'text/event-stream' } }),
    };
    expect((await start()).status).to.equal(201);

    // when
    await refuseConnections();

    // then
    for (const [caseName, request] of Object.entries(requests)) {
      const response = await request();
      expect(response.status, `${caseName}: ${await response.clone().text()}`).to.equal(503);
      expect(Number(response.headers.get('retry-after')), caseName).to.be.greaterThan(0);
      expect(await response.json(), caseName).to.include({ code: 'service_unavailable', retryable: true });
    }

    // when
    await allowConnections(true);

    // then
    await waitUntil('the server responds with 200 again', async () => (await call('/api/runs')).status === 200);
  });

  it('should cause at most one log entry per minute for failed commands', async () => {
    // given
    expect((await start()).status).to.equal(201);
    await refuseConnections();

    // when
    for (let count = 0; count < 5; count += 1) expect((await start()).status).to.equal(503);

    // then: at most one more if a minute ends during the test
    const entries = logMessages.filter((message) => FAILED_COMMANDS.test(message));
    expect(entries, logMessages.join()).to.have.length.within(1, 2);
  });
});
