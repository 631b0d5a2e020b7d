import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Benchmark } from '../benchmark.js';
import { Meter } from '../measure/meter.js';
import { median } from '../measure/statistics.js';
import { formatNumber, formatRange } from '../measure/table.js';
import { readTotalCpuTime, type ServerProcess, withServers } from '../servers/server-process.js';
import type { TimerRequest } from '../timers/timer-requests.js';

const RUNS = 20_000;
const SERVERS = 2;
/**
 * Number of runs per second that all servers together can start, even on a busy machine. Determines when the timers are
 * due.
 */
const STARTS_PER_SECOND = 250;
const POLL_MS = 50;
const WORKFLOW_ID = 'alarm';

const MODEL = `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" id="definitions" targetNamespace="urn:countersign:bench">
<bpmn:process id="${WORKFLOW_ID}" isExecutable="true">
  <bpmn:startEvent id="start" />
  <bpmn:intermediateCatchEvent id="wait"><bpmn:timerEventDefinition><bpmn:timeDate xsi:type="bpmn:tFormalExpression">=dueAt</bpmn:timeDate></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>
  <bpmn:endEvent id="end" />
  <bpmn:sequenceFlow id="to-wait" sourceRef="start" targetRef="wait" /><bpmn:sequenceFlow id="to-end" sourceRef="wait" targetRef="end" />
</bpmn:process></bpmn:definitions>`;

interface TimerSample {
  /** Delays after the time at which all timers were due, in ms: median, 99th percentile and maximum. */
  readonly p50: number;
  readonly p99: number;
  readonly last: number;
  /** Time from the due time until the last commit was visible, in ms. */
  readonly allCommittedMs: number;
  /** CPU time per timer, measured from the time at which all timers were due. */
  readonly nodeCpuMs: number;
  readonly postgresCpuMs: number;
  readonly walBytes: number;
  readonly otherProcessesCores: number;
}

/** Delay of timers that are all due at the same time, on several servers that share a database. */
export const timers: Benchmark = {
  name: 'timers',
  database: true,
  async run({ postgres, runs = RUNS, repetitions, progress }) {
    const samples: TimerSample[] = [];
    for (let repetition = 1; repetition <= repetitions; repetition += 1) {
      const sample = await measure(await postgres.createDatabase(), runs, progress);
      progress(
        `${repetition}/${repetitions}: p50 ${formatNumber(sample.p50)} ms, p99 ${formatNumber(sample.p99)} ms, last ${formatNumber(sample.last)} ms, CPU ${formatNumber(sample.nodeCpuMs, 3)} + ${formatNumber(sample.postgresCpuMs, 3)} ms per timer`,
      );
      samples.push(sample);
    }
    const row = (pick: (sample: TimerSample) => number, digits = 0): string[] => [
      formatNumber(median(samples.map(pick)), digits),
      formatRange(samples.map(pick), digits),
    ];
    return {
      tables: [
        {
          title: `timers: ${formatNumber(runs)} due at the same time, ${SERVERS} servers, delay in ms`,
          columns: ['', 'median', 'min – max'],
          rows: [
            ['p50', ...row(({ p50 }) => p50)],
            ['p99', ...row(({ p99 }) => p99)],
            ['last', ...row(({ last }) => last)],
            ['all committed', ...row(({ allCommittedMs }) => allCommittedMs)],
            ['Node.js CPU, ms per timer', ...row(({ nodeCpuMs }) => nodeCpuMs, 3)],
            ['PostgreSQL CPU, ms per timer', ...row(({ postgresCpuMs }) => postgresCpuMs, 3)],
            ['WAL, kB per timer', ...row(({ walBytes }) => walBytes / 1000, 1)],
            ['CPU cores used by other processes', ...row(({ otherProcessesCores }) => otherProcessesCores, 2)],
          ],
        },
      ],
      notes: [`${repetitions} repetitions, each in a separate database. No timer was early, lost or fired twice.`],
      figures: { runs, servers: SERVERS, samples },
    };
  },
};

function measure(connectionString: string, runs: number, progress: (text: string) => void): Promise<TimerSample> {
  const program = new URL('../timers/timer-process.js', import.meta.url);
  return withServers<TimerRequest, TimerSample>(SERVERS, program, (servers) =>
    measureServers(servers, connectionString, runs, progress),
  );
}

async function measureServers(
  servers: readonly ServerProcess<TimerRequest>[],
  connectionString: string,
  runs: number,
  progress: (text: string) => void,
): Promise<TimerSample> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const meter = await Meter.open(connectionString);
  try {
    // One after the other, because the first migrates the database.
    for (const server of servers) await server.send({ type: 'open', connectionString });
    await servers[0]?.send({ type: 'deploy', bpmnXml: MODEL });
    const dueAtMs = Math.ceil((Date.now() + 5_000 + (runs / STARTS_PER_SECOND) * 1_000) / 1_000) * 1_000;
    progress('starting runs');
    await Promise.all(
      servers.map((server) =>
        server.send({
          type: 'start',
          workflowId: WORKFLOW_ID,
          runs: Math.ceil(runs / SERVERS),
          dueAt: new Date(dueAtMs).toISOString(),
        }),
      ),
    );
    if (Date.now() > dueAtMs) throw new Error('The timers were due before all runs had started. Start fewer runs.');
    progress('waiting for the timers');
    await delay(dueAtMs - Date.now());
    const sample = await meter.measure(
      runs,
      async () => {
        while (await hasPendingTimers(client)) await delay(POLL_MS);
      },
      { node: () => readTotalCpuTime(servers) },
    );
    const allCommittedMs = Date.now() - dueAtMs;
    return {
      ...(await readDelays(client, dueAtMs, Math.ceil(runs / SERVERS) * SERVERS)),
      allCommittedMs,
      nodeCpuMs: sample.nodeCpuMs ?? Number.NaN,
      postgresCpuMs: sample.postgresCpuMs ?? Number.NaN,
      walBytes: sample.walBytes,
      otherProcessesCores: sample.otherProcessesCores ?? Number.NaN,
    };
  } finally {
    await client.end();
    await meter.close();
  }
}

async function hasPendingTimers(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ left: boolean }>('SELECT EXISTS (SELECT FROM timers) AS left');
  return rows[0]?.left === true;
}

/** @throws {Error} if a timer fired early, twice or never */
async function readDelays(
  client: pg.Client,
  dueAtMs: number,
  expectedCount: number,
): Promise<Pick<TimerSample, 'p50' | 'p99' | 'last'>> {
  const { rows } = await client.query<{
    fired: number;
    runs: number;
    early: number;
    p50: number;
    p99: number;
    last: number;
  }>(
    `SELECT count(*)::int AS fired, count(DISTINCT run_id)::int AS runs, count(*) FILTER (WHERE late < 0)::int AS early,
            percentile_cont(0.5) WITHIN GROUP (ORDER BY late) AS p50, percentile_cont(0.99) WITHIN GROUP (ORDER BY late) AS p99, max(late) AS last
     FROM (SELECT run_id, (extract(epoch FROM at) * 1000 - $1)::float8 AS late FROM run_events WHERE type = 'timer.fired') AS fired`,
    [dueAtMs],
  );
  const [counts] = rows;
  if (counts === undefined || counts.fired !== expectedCount || counts.runs !== expectedCount || counts.early !== 0)
    throw new Error(`Expected ${expectedCount} timers to fire exactly once, but found ${JSON.stringify(counts)}.`);
  return { p50: counts.p50, p99: counts.p99, last: counts.last };
}
