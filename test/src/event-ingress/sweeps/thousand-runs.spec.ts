import { openPostgresStorage } from '@countersign/storage-postgres';
import { createMigratedTestDatabase, type TestDatabase, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { mapConcurrently } from '../../conformance/map-concurrently.js';
import { receivingModel } from '../../messages/messages.spec.support.js';
import { loadVerifiedEvents } from '../../recovery/check-history.spec.support.js';
import { RestartingServer } from '../../recovery/restarting-server.spec.support.js';
import {
  buildEvent,
  post,
  SECRET,
  buildSignedRequest,
  type HttpResponse,
  type WebhookRequest,
} from '../ingress.spec.support.js';

const RUNS = 1_000;
const DELIVERIES = 10_000;
const MAX_SENDS = 5;
const SENDERS = 8;

interface Delivery {
  readonly id: string;
  readonly key: string;
  readonly request: WebhookRequest;
}

interface SentDelivery {
  readonly delivery: Delivery;
  readonly responseBody: HttpResponse['body'];
  /** Whether an earlier attempt failed. The server may have recorded the delivery anyway. */
  readonly isRetry: boolean;
}

describe('event ingress with a thousand runs and ten thousand deliveries', function () {
  this.timeout(900_000);

  let dataDirectory: string;
  let database: TestDatabase;
  let client: pg.Client;
  let servers: RestartingServer[];

  before(async () => {
    dataDirectory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-events-'));
    database = await createMigratedTestDatabase();
    const { connectionString } = database;
    const configuration = {
      Integrations: { EventIngress: { Enabled: true, Sources: [{ Id: 'shop', Secret: SECRET }] } },
    };
    servers = [1, 2].map(() => new RestartingServer({ dataDirectory, connectionString, effects: null, configuration }));
    for (const server of servers) await server.runningServer;
    client = new pg.Client({ connectionString });
    await client.connect();
  });

  after(async () => {
    await client.end();
    for (const server of servers) await server.stop();
    await database.drop();
    await rm(dataDirectory, { recursive: true, force: true });
  });

  it('should resume every run once and record every delivery once despite reordering, repeats and a killed server', async () => {
    // given
    const runs = await startWaitingRuns();
    const deliveries = Array.from({ length: DELIVERIES }, (_, index): Delivery => {
      const key = [...runs.keys()][index % RUNS] ?? expect.fail();
      const id = `delivery-${index}`;
      return { id, key, request: buildSignedRequest(buildEvent(key, 'ci.passed', { by: id }), { delivery: id }) };
    });
    const random = createSeededRandom(7);
    const sends = shuffle(
      deliveries.flatMap((delivery) => Array.from({ length: 1 + Math.floor(random() * MAX_SENDS) }, () => delivery)),
      random,
    );

    // when
    const sent = await sendAll(sends, Math.floor(sends.length / 3));

    // then
    expect(servers.map(({ kills }) => kills)).to.deep.equal([1, 0]);
    expect(sent).to.have.length(sends.length);
    checkResponses(sent, runs);
    await checkRecords(sent, runs);
  });

  /** Starts the runs. @returns run ids by correlation key */
  async function startWaitingRuns(): Promise<Map<string, string>> {
    const [firstServer] = servers;
    const admin = (await firstServer?.client('admin', 'root')) ?? expect.fail();
    await admin.deployWorkflow({ body: receivingModel('gate', 'ci.passed') });
    const keys = Array.from({ length: RUNS }, () => randomUUID());
    const started = await mapConcurrently(
      keys,
      16,
      async (key) => [key, (await admin.startRun({ body: { workflowId: 'gate', inputs: { key } } })).runId] as const,
    );
    return new Map(started);
  }

  /**
   * Sends the deliveries with concurrent senders to alternating servers, and repeats a request if its connection broke.
   * Kills the first server after `killAfter` responses.
   */
  async function sendAll(sends: readonly Delivery[], killAfter: number): Promise<SentDelivery[]> {
    const sent: SentDelivery[] = [];
    const agent = new Agent({ keepAlive: true });
    let next = 0;
    let killed = false;
    const sender = async (): Promise<void> => {
      for (let delivery = sends[next++]; delivery !== undefined; delivery = sends[next++]) {
        sent.push(await sendUntilResponse(delivery, agent, next));
        if (sent.length < killAfter || killed) continue;
        killed = true;
        process.kill((await servers[0]?.runningServer)?.pid ?? 0, 'SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, sender));
    agent.destroy();
    return sent;
  }

  async function sendUntilResponse(delivery: Delivery, agent: Agent, serverOffset: number): Promise<SentDelivery> {
    for (let attempt = 0; ; attempt += 1) {
      const server = servers[(serverOffset + attempt) % servers.length] ?? expect.fail();
      try {
        const { status, body } = await post(`${server.url}/webhooks/events`, delivery.request, agent);
        // While it is being killed, the server may report that the database is unavailable. The sender retries then,
        // too.
        if (status !== 503) {
          expect(status, JSON.stringify(body)).to.equal(200);
          return { delivery, responseBody: body, isRetry: attempt > 0 };
        }
      } catch (error) {
        if (!(error instanceof Error && 'code' in error)) throw error;
        await server.runningServer;
      }
    }
  }

  function checkResponses(sent: readonly SentDelivery[], runs: ReadonlyMap<string, string>): void {
    const byDelivery = new Map<string, SentDelivery[]>();
    for (const sentDelivery of sent)
      byDelivery.set(sentDelivery.delivery.id, [...(byDelivery.get(sentDelivery.delivery.id) ?? []), sentDelivery]);
    expect(byDelivery.size).to.equal(DELIVERIES);
    const resumed = new Map<string, string>();
    for (const [id, responses] of byDelivery) {
      const firstResponses = responses.filter(({ responseBody: answer }) => answer['duplicate'] === false);
      expect(firstResponses.length, id).to.be.within(responses.some(({ isRetry: again }) => again) ? 0 : 1, 1);
      const distinctResponses = new Set(
        responses.map(({ responseBody: answer }) =>
          JSON.stringify([answer['eventId'], answer['resumed'], answer['runIds']]),
        ),
      );
      expect([...distinctResponses], `all responses to ${id}`).to.have.length(1);
      const { delivery, responseBody: answer } = responses[0] ?? expect.fail();
      if (answer['resumed'] === false) continue;
      expect(answer['runIds']).to.deep.equal([runs.get(delivery.key)]);
      expect(resumed.has(delivery.key), 'two deliveries resumed the same run').to.equal(false);
      resumed.set(delivery.key, id);
    }
    expect(resumed.size).to.equal(RUNS);
  }

  async function checkRecords(sent: readonly SentDelivery[], runs: ReadonlyMap<string, string>): Promise<void> {
    const queryRows = async (sql: string): Promise<Record<string, unknown>[]> =>
      (await client.query<Record<string, unknown>>(sql)).rows;
    expect(
      await queryRows(
        'SELECT status, count(*)::int AS events, count(DISTINCT idempotency_key)::int AS deliveries FROM inbound_events GROUP BY status ORDER BY status',
      ),
    ).to.deep.equal([
      { status: 'matched', events: RUNS, deliveries: RUNS },
      { status: 'unmatched', events: DELIVERIES - RUNS, deliveries: DELIVERIES - RUNS },
    ]);
    // Requests to which the killed server did not respond may have been counted, too.
    const [{ repeats = 0 } = {}] = await queryRows('SELECT sum(repeats)::int AS repeats FROM inbound_events');
    expect(Number(repeats)).to.be.at.least(
      sent.filter(({ responseBody: answer }) => answer['duplicate'] === true).length,
    );
    await waitUntil(
      'no message or subscription is left',
      async () => (await queryRows('SELECT FROM messages UNION ALL SELECT FROM message_subscriptions')).length === 0,
    );
    expect(
      await queryRows(
        `SELECT type, count(*)::int AS events, count(DISTINCT run_id)::int AS runs FROM run_events WHERE type IN ('message.received', 'run.completed') GROUP BY type ORDER BY type`,
      ),
    ).to.deep.equal([
      { type: 'message.received', events: RUNS, runs: RUNS },
      { type: 'run.completed', events: RUNS, runs: RUNS },
    ]);
    const opened = await openPostgresStorage({ connectionString: database.connectionString, poolSize: 2 });
    for (const runId of [...runs.values()].slice(0, 50)) await loadVerifiedEvents(opened.storage, runId);
    await opened.close();
  }
});

function createSeededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    // Mulberry32 returns the same sequence for the same seed.
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffle<T>(items: readonly T[], random: () => number): T[] {
  const result = [...items];
  for (let index = result.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    [result[index], result[other]] = [result[other] as T, result[index] as T];
  }
  return result;
}
