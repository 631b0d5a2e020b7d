import { approvalModel, createTestHost, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import pg from 'pg';

const FAILED_COMMANDS =
  /^(?:could not commit a batch of commands|could not write a command|could not determine whether a command was written)$/;

describe('database that accepts no connections', function () {
  this.timeout(60_000);

  let test: TestHost;
  let admin: pg.Client;
  let name: string;
  let log: string[];
  let authorization: string;

  beforeEach(async () => {
    log = [];
    const collectMessage = (_fields: object, message: string) => void log.push(message);
    test = await createTestHost({
      logger: { debug: collectMessage, info: collectMessage, warn: collectMessage, error: collectMessage },
    });
    const url = new URL(test.database.connectionString);
    name = url.pathname.slice(1);
    url.pathname = '/postgres';
    admin = new pg.Client({ connectionString: url.href });
    await admin.connect();
    await test.deploy(approvalModel('refused'));
    authorization = `Bearer ${await test.token('admin')}`;
  });

  afterEach(async () => {
    await allowConnections(true);
    await admin.end();
    await test.close();
  });

  const allowConnections = (connections: boolean) =>
    admin.query(`ALTER DATABASE ${pg.escapeIdentifier(name)} ALLOW_CONNECTIONS ${connections}`);

  async function refuseConnections(): Promise<void> {
    await allowConnections(false);
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
  }

  const JSON_BODY = { 'content-type': 'application/json' };
  const call = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${test.url}${path}`, { ...init, headers: { authorization, ...init.headers } });
  const start = (): Promise<Response> =>
    call('/api/runs', { method: 'POST', headers: JSON_BODY, body: '{"workflowId":"refused"}' });

  it('should cause a 503 response with Retry-After to every kind of request until it accepts connections', async () => {
    // given
    const { runId = '01938f5a-7c1e-7b62-9d53-000000000000' } = {};
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
      const answer = await request();
      expect(answer.status, `${caseName}: ${await answer.clone().text()}`).to.equal(503);
      expect(Number(answer.headers.get('retry-after')), caseName).to.be.greaterThan(0);
      expect(await answer.json(), caseName).to.include({ code: 'service_unavailable', retryable: true });
    }

    // when
    await allowConnections(true);

    // then
    await waitUntil('it answers again', async () => (await call('/api/runs')).status === 200);
  });

  it('should cause at most one log entry per minute for failed commands', async () => {
    // given
    expect((await start()).status).to.equal(201);
    await refuseConnections();

    // when
    for (let count = 0; count < 5; count += 1) expect((await start()).status).to.equal(503);

    // then: at most one more if a minute ends during the test
    const entries = log.filter((message) => FAILED_COMMANDS.test(message));
    expect(entries, log.join()).to.have.length.within(1, 2);
  });
});
