import { createMigratedTestDatabase } from '@countersign/storage-postgres';
import { createTestHost, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { createHmac, randomUUID } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

const SECRET = 'shared-rate-limits-webhook-secret';
/** Pause between two requests that check whether a server has received the count of the other server. */
const PAUSE_MS = 250;

describe('API: rate limits shared by two servers', function () {
  this.timeout(120_000);

  let dataDirectory: string;
  let database: Awaited<ReturnType<typeof createMigratedTestDatabase>>;
  let sql: pg.Client;
  let firstServer: TestHost;
  let secondServer: TestHost;

  async function startServers(RequestsPerMinute: number): Promise<void> {
    const integrations = {
      EventIngress: { Enabled: true, Sources: [{ Id: 'shop', Secret: SECRET }] },
      CodeHost: { Secret: SECRET },
    };
    const options = {
      shareDataWith: { database, dataDirectory },
      configuration: { Limits: { RequestsPerMinute }, Integrations: integrations },
    };
    [firstServer, secondServer] = await Promise.all([createTestHost(options), createTestHost(options)]);
  }

  beforeEach(async () => {
    dataDirectory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-limits-'));
    database = await createMigratedTestDatabase();
    sql = new pg.Client(database.connectionString);
    await sql.connect();
  });

  afterEach(async () => {
    await Promise.all([firstServer.close(), secondServer.close()]);
    await sql.end();
    await database.drop();
    await rm(dataDirectory, { recursive: true, force: true });
  });

  const getMeStatus = async (server: TestHost, token: string): Promise<number> =>
    (await fetch(`${server.url}/api/me`, { headers: { authorization: `Bearer ${token}` } })).status;

  /**
   * Waits until the counts in the database add up to a number of requests. A server adds its count for a key once the
   * key has used a part of its limit.
   */
  const waitUntilShared = (requests: number): Promise<true> =>
    waitUntil('both servers have shared their counts', async () => {
      const { rows } = await sql.query<{ count: string | null }>('SELECT sum(count) AS count FROM rate_counts');
      return Number(rows[0]?.count) === requests || undefined;
    }) as Promise<true>;

  /** Returns the number of responses before the first 429, or `maxResponses` if there is none. */
  async function countUntilRefused(
    request: () => Promise<number>,
    expectedStatus: number,
    pauseMs: number,
    maxResponses: number,
  ): Promise<number> {
    for (let responseCount = 0; responseCount < maxResponses; responseCount += 1) {
      const status = await request();
      if (status === 429) return responseCount;
      expect(status).to.equal(expectedStatus);
      // eslint-disable-next-line no-restricted-syntax -- a client with a fixed rate
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    return maxResponses;
  }

  it('should limit the requests of a person on both servers together, without affecting other people', async () => {
    // given: both servers share their counts after a twentieth of the limit
    await startServers(100);
    const token = await firstServer.token('viewer', { subject: 'ada' });
    for (let count = 0; count < 6; count += 1)
      expect([await getMeStatus(firstServer, token), await getMeStatus(secondServer, token)]).to.deep.equal([200, 200]);
    await waitUntilShared(2 * (6 - 4));

    // when: the first server receives requests up to the limit; it may have received the count of the second server
    expect(await countUntilRefused(() => getMeStatus(firstServer, token), 200, 0, 101)).to.be.within(92, 94);

    // then: the second server also refuses, long before its own count reaches the limit
    expect(await countUntilRefused(() => getMeStatus(secondServer, token), 200, PAUSE_MS, 60)).to.be.below(60);
    const otherToken = await firstServer.token('viewer', { subject: 'bea' });
    expect([await getMeStatus(firstServer, otherToken), await getMeStatus(secondServer, otherToken)]).to.deep.equal([
      200, 200,
    ]);
  });

  it('should limit the failing requests of a network on both servers, without refusing its valid requests', async () => {
    // given: a limit of 100 failures a minute for each network
    await startServers(20_000);
    const sendInvalidToken = (server: TestHost) => (): Promise<number> => getMeStatus(server, 'a.b.c');
    for (let count = 0; count < 6; count += 1)
      expect([await sendInvalidToken(firstServer)(), await sendInvalidToken(secondServer)()]).to.deep.equal([401, 401]);
    await waitUntilShared(2 * (6 - 4));

    // when
    expect(await countUntilRefused(sendInvalidToken(firstServer), 401, 0, 101)).to.be.within(92, 94);

    // then
    expect(await countUntilRefused(sendInvalidToken(secondServer), 401, PAUSE_MS, 60)).to.be.below(60);
    const token = await firstServer.token('viewer');
    for (const server of [firstServer, secondServer]) {
      const get = async (path: string, accept: string): Promise<number> =>
        (await fetch(`${server.url}${path}`, { headers: { accept } })).status;
      expect(await getMeStatus(server, token), 'a signed-in user').to.equal(200);
      expect(await get('/runs', 'text/html'), 'a page').to.equal(200);
      expect(await get('/api/auth/config', 'application/json'), 'how to sign in').to.equal(200);
      expect(await get('/api/health/live', 'application/json'), 'liveness').to.equal(200);
      await waitUntil('the server is ready', async () => (await get('/api/health/ready', 'application/json')) === 200);
      expect((await postEvent(server)).status, 'an event').to.equal(200);
      expect((await postCodeHostEvent(server)).status, 'an event of the code host').to.equal(202);
      expect(await get('/nowhere', 'application/json'), 'another failure').to.equal(429);
    }
  });
});

const signBody = (body: string): string => `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;

function postEvent({ url }: TestHost): Promise<Response> {
  const body = JSON.stringify({ messageName: 'nobody-waits', correlationKey: randomUUID(), payload: {} });
  return fetch(`${url}/webhooks/events`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-service-source': 'shop',
      'x-service-signature-256': signBody(body),
    },
    body,
  });
}

function postCodeHostEvent({ url }: TestHost): Promise<Response> {
  const body = JSON.stringify({
    action: 'opened',
    issue: { number: 7, title: 'x' },
    repository: { full_name: 'acme/shop' },
    sender: { login: 'mona' },
  });
  return fetch(`${url}/webhooks/codehost`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'issues',
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': signBody(body),
    },
    body,
  });
}
