import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@countersign/contract';
import type { Benchmark, BenchReport } from '../benchmark.js';
import { openClient, signIn, untilLive } from '../desktop/desktop-client.js';
import { prepareServer, LARGE, PENDING } from '../desktop/desktop-data.js';
import { findElectron } from '../desktop/electron.js';
import { DECIDING, keyTimes, READING } from '../desktop/keys.js';
import { memoryTimes, type MemoryUse } from '../desktop/memory.js';
import { rowTimes } from '../desktop/rows.js';
import { startTime, type StartTime } from '../desktop/start-times.js';
import { openSurroundings } from '../desktop/surroundings.js';
import { startServerProcess } from '../http/server-process.js';
import { median, quantile } from '../measure/statistics.js';
import { figure, type Table } from '../measure/table.js';

const REQUESTS = 100;
/** Rounds of keys per repetition. */
const ROUNDS = 3;
/** Cold and warm starts per repetition. */
const STARTS = 2;

/**
 * The desktop client in Electron: time until a request is visible, a key has its effect and the inbox is usable; and
 * its memory.
 */
export const desktop: Benchmark = {
  name: 'desktop',
  database: true,
  async run({ postgres, runs, repetitions, progress }) {
    const electron = findElectron();
    const database = await postgres.createDatabase();
    const surroundings = await openSurroundings();
    const server = await startServerProcess(database);
    const userData = await mkdtemp(join(tmpdir(), 'countersign-bench-desktop-'));
    try {
      const operator = createClient({ baseUrl: server.url, token: await server.token('olga', 'operator') });
      const decider = createClient({ baseUrl: server.url, token: await server.token('dora', 'approver') });
      const data = await prepareServer(server, operator, database);
      const asked = { operator, decider, workflowIds: ['urgent', 'urgent-after-job'], times: runs ?? REQUESTS };

      progress('requests with an empty inbox');
      let client = await openClient({ electron, surroundings, userData });
      await signIn(client.page, server.url, await server.token('alma', 'approver'));
      await untilLive(client.page);
      const few = await rowTimes({ page: client.page, ...asked });
      await client.close();

      progress(`creating ${figure(PENDING)} pending approvals`);
      await data.makePending();
      client = await openClient({ electron, surroundings, userData });
      await untilLive(client.page);
      progress(`requests with ${figure(PENDING)} pending`);
      const many = await rowTimes({ page: client.page, ...asked });
      progress('keys');
      const keys = await keyTimes(client.page, DECIDING, ROUNDS * repetitions);
      await client.close();

      progress('starts');
      const starts: { warm: StartTime[]; cold: StartTime[] } = { warm: [], cold: [] };
      for (let turn = 0; turn < STARTS * repetitions; turn += 1) {
        starts.cold.push(await startTime({ electron, surroundings, userData, cold: true }));
        starts.warm.push(await startTime({ electron, surroundings, userData, cold: false }));
      }

      progress(`${LARGE} large approvals`);
      await data.makeLarge();
      client = await openClient({ electron, surroundings, userData });
      await untilLive(client.page);
      const large = await keyTimes(client.page, READING, ROUNDS * repetitions);
      progress('memory');
      const memory = await memoryTimes({ client, operator, decider, workflowId: 'urgent', progress });
      await client.close();
      return report({ electron: electron.version, few, many, keys, large, starts, memory });
    } finally {
      await server.close();
      await surroundings.close();
      await rm(userData, { recursive: true, force: true, maxRetries: 3 });
    }
  },
};

type Times = Readonly<Record<string, readonly number[]>>;

interface Measured {
  readonly electron: string;
  readonly few: Times;
  readonly many: Times;
  readonly keys: Times;
  readonly large: Times;
  readonly starts: Readonly<Record<'warm' | 'cold', readonly StartTime[]>>;
  readonly memory: readonly MemoryUse[];
}

function report(measured: Measured): BenchReport {
  const { electron, few, many, keys, large, starts, memory } = measured;
  const pending = `${figure(PENDING)} pending`;
  return {
    tables: [
      table('desktop: ms from a request (its time, taken before the commit) until its row is painted', 'request', [
        ['requested by the start of a run', few['urgent']],
        ['requested after a job', few['urgent-after-job']],
        [`by the start, ${pending}`, many['urgent']],
        [`after a job, ${pending}`, many['urgent-after-job']],
      ]),
      table(`desktop: ms from a key until its effect is painted, ${pending}`, 'key', [
        ...Object.entries(keys),
        ['all keys', Object.values(keys).flat()],
      ]),
      table(`desktop: the same with ${LARGE} large decision views first`, 'key', [
        ...Object.entries(large),
        ['all keys', Object.values(large).flat()],
      ]),
      table(`desktop: ms from the start of the process, ${pending}`, 'until', [
        ['rows are painted, warm', starts.warm.map(({ rows }) => rows)],
        ['a key has its effect, warm', starts.warm.map(({ usable }) => usable)],
        ['rows are painted, cold', starts.cold.map(({ rows }) => rows)],
        ['a key has its effect, cold', starts.cold.map(({ usable }) => usable)],
      ]),
      {
        title: `desktop: memory in MiB after changes received from the feed, ${pending}`,
        columns: ['changes', 'heap of the window', 'its nodes', 'heap of main', 'window, all', 'main, all'],
        rows: memory.map(({ changes, windowHeap, windowNodes, mainHeap, windowSet, mainSet }) => [
          figure(changes),
          figure(windowHeap, 1),
          figure(windowNodes),
          figure(mainHeap, 1),
          figure(windowSet),
          figure(mainSet),
        ]),
      },
    ],
    notes: [
      `Electron ${electron}, on a screen without a graphics card. The times include one frame more than needed. Cold: without Chromium's caches, and with its files read from disk.`,
    ],
    figures: measured,
  };
}

function table(
  title: string,
  what: string,
  rows: readonly (readonly [string, readonly number[] | undefined])[],
): Table {
  return {
    title,
    columns: [what, 'times', 'p50', 'p95', 'worst'],
    rows: rows.map(([name, times = []]) => [
      name,
      figure(times.length),
      figure(median(times)),
      figure(quantile(times, 0.95)),
      figure(Math.max(...times)),
    ]),
  };
}
