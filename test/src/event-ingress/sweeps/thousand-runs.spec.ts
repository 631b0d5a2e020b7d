import { openPostgresStorage } from '@countersign/storage-postgres';
import { createMigratedTestDatabase, type TestDatabase, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inParallel } from '../../conformance/in-parallel.js';
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
  readonly toSend: WebhookRequest;
}

interface SentDelivery {
  readonly delivery: Delivery;
  readonly answer: HttpResponse['body'];
  /** Whether a connection broke before, so that a request without a response may have had the effect. */
  readonly again: boolean;
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
      return { id, key, toSend: buildSignedRequest(buildEvent(key, 'ci.passed', { by: id }), { delivery: id }) };
    });
    const random = seededRandom(7);
    const sends = shuffled(
      deliveries.flatMap((delivery) => Array.from({ length: 1 + Math.floor(random() * MAX_SENDS) }, () => delivery)),
      random,
    );

    // when
    const sent = await sendAll(sends, Math.floor(sends.length / 3));

    // then
    expect(servers.map(({ kills }) => kills)).to.deep.equal([1, 0]);
    expect(sent).to.have.length(sends.length);
    checkAnswers(sent, runs);
    await checkRecords(sent, runs);
  });

  /** Returns run ids by their correlation keys. */
  async function startWaitingRuns(): Promise<Map<string, string>> {
    const [left] = servers;
    const admin = (await left?.client('admin', 'root')) ?? expect.fail();
    await admin.deployWorkflow({ body: receivingModel('gate', 'ci.passed') });
    const keys = Array.from({ length: RUNS }, () => randomUUID());
    const started = await inParallel(
      keys,
      16,
      async (key) => [key, (await admin.startRun({ body: { workflowId: 'gate', inputs: { key } } })).runId] as const,
    );
    return new Map(started);
  }

  /** Sends sequentially from each sender to either server, and repeats a request if its connection broke. */
  async function sendAll(sends: readonly Delivery[], killAfter: number): Promise<SentDelivery[]> {
    const sent: SentDelivery[] = [];
    const agent = new Agent({ keepAlive: true });
    let next = 0;
    let killed = false;
    const sender = async (): Promise<void> => {
      for (let delivery = sends[next++]; delivery !== undefined; delivery = sends[next++]) {
        sent.push(await sendUntilAnswered(delivery, agent, next));
        if (sent.length < killAfter || killed) continue;
        killed = true;
        process.kill((await servers[0]?.runningServer)?.pid ?? 0, 'SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, sender));
    agent.destroy();
    return sent;
  }

  async function sendUntilAnswered(delivery: Delivery, agent: Agent, turn: number): Promise<SentDelivery> {
    for (let attempt = 0; ; attempt += 1) {
      const server = servers[(turn + attempt) % servers.length] ?? expect.fail();
      try {
        const { status, body } = await post(`${server.url}/webhooks/events`, delivery.toSend, agent);
        // A dying server may report that the database is gone; a sender retries then, too.
        if (status !== 503) {
          expect(status, JSON.stringify(body)).to.equal(200);
          return { delivery, answer: body, again: attempt > 0 };
        }
      } catch (error) {
        if (!(error instanceof Error && 'code' in error)) throw error;
        await server.runningServer;
      }
    }
  }

  function checkAnswers(sent: readonly SentDelivery[], runs: ReadonlyMap<string, string>): void {
    const byDelivery = new Map<string, SentDelivery[]>();
    for (const each of sent) byDelivery.set(each.delivery.id, [...(byDelivery.get(each.delivery.id) ?? []), each]);
    expect(byDelivery.size).to.equal(DELIVERIES);
    const resumed = new Map<string, string>();
    for (const [id, answers] of byDelivery) {
      const firsts = answers.filter(({ answer }) => answer['duplicate'] === false);
      expect(firsts.length, id).to.be.within(answers.some(({ again }) => again) ? 0 : 1, 1);
      const distinctResponses = new Set(
        answers.map(({ answer }) => JSON.stringify([answer['eventId'], answer['resumed'], answer['runIds']])),
      );
      expect([...distinctResponses], `all answers of ${id}`).to.have.length(1);
      const { delivery, answer } = answers[0] ?? expect.fail();
      if (answer['resumed'] === false) continue;
      expect(answer['runIds']).to.deep.equal([runs.get(delivery.key)]);
      expect(resumed.has(delivery.key), 'two deliveries that resumed one run').to.equal(false);
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
    // Requests that a dying server did not respond to were counted, too.
    const [{ repeats = 0 } = {}] = await queryRows('SELECT sum(repeats)::int AS repeats FROM inbound_events');
    expect(Number(repeats)).to.be.at.least(sent.filter(({ answer }) => answer['duplicate'] === true).length);
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

function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    // Mulberry32, for the same order each time.
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const result = [...items];
  for (let index = result.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    [result[index], result[other]] = [result[other] as T, result[index] as T];
  }
  return result;
}
