import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@countersign/contract';
import type { Benchmark, BenchReport } from '../benchmark.js';
import { launchDesktopClient, signIn, waitUntilLive } from '../desktop/desktop-client.js';
import { prepareServer, LARGE_COUNT, PENDING_COUNT } from '../desktop/desktop-data.js';
import { findElectron } from '../desktop/find-electron.js';
import { measureMemory, type MemoryUse } from '../desktop/measure-memory.js';
import { measureRows } from '../desktop/measure-rows.js';
import { measureStart, type StartTime } from '../desktop/measure-start.js';
import { openDesktopEnvironment } from '../desktop/desktop-environment.js';
import { startServerProcess } from '../http/server-process.js';
import { DECIDING_KEYS, measureKeys, READING_KEYS } from '../inbox/measure-keys.js';
import { median, quantile } from '../measure/statistics.js';
import { formatNumber, type Table } from '../measure/table.js';

const REQUESTS = 100;
/** Passes through the keys per repetition. */
const PASSES = 3;
/** Number of cold starts, and of warm starts, per repetition. */
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
    const environment = await openDesktopEnvironment();
    const server = await startServerProcess(database);
    const userData = await mkdtemp(join(tmpdir(), 'countersign-bench-desktop-'));
    try {
      const operator = createClient({ baseUrl: server.url, token: await server.mintToken('olga', 'operator') });
      const decider = createClient({ baseUrl: server.url, token: await server.mintToken('dora', 'approver') });
      const data = await prepareServer(server, operator, database);
      const requestOptions = {
        operator,
        decider,
        workflowIds: ['urgent', 'urgent-after-job'],
        requestsPerWorkflow: runs ?? REQUESTS,
      };

      progress('requests with an empty inbox');
      let client = await launchDesktopClient({ electron, environment, userData });
      await signIn(client.page, server.url, await server.mintToken('alma', 'approver'));
      await waitUntilLive(client.page);
      const emptyTimes = await measureRows({ page: client.page, ...requestOptions });
      await client.close();

      progress(`creating ${formatNumber(PENDING_COUNT)} pending approvals`);
      await data.createPending();
      client = await launchDesktopClient({ electron, environment, userData });
      await waitUntilLive(client.page);
      progress(`requests with ${formatNumber(PENDING_COUNT)} pending`);
      const fullTimes = await measureRows({ page: client.page, ...requestOptions });
      progress('keys');
      const keyTimes = await measureKeys(client.page, DECIDING_KEYS, PASSES * repetitions);
      await client.close();

      progress('starts');
      const starts: { warm: StartTime[]; cold: StartTime[] } = { warm: [], cold: [] };
      for (let repetition = 0; repetition < STARTS * repetitions; repetition += 1) {
        starts.cold.push(await measureStart({ electron, environment, userData, cold: true }));
        starts.warm.push(await measureStart({ electron, environment, userData, cold: false }));
      }

      progress(`${LARGE_COUNT} large approvals`);
      await data.createLarge();
      client = await launchDesktopClient({ electron, environment, userData });
      await waitUntilLive(client.page);
      const largeViewKeyTimes = await measureKeys(client.page, READING_KEYS, PASSES * repetitions);
      progress('memory');
      const memory = await measureMemory({ client, operator, decider, workflowId: 'urgent', progress });
      await client.close();
      return buildReport({
        electron: electron.version,
        emptyTimes,
        fullTimes,
        keyTimes,
        largeViewKeyTimes,
        starts,
        memory,
      });
    } finally {
      await server.close();
      await environment.close();
      await rm(userData, { recursive: true, force: true, maxRetries: 3 });
    }
  },
};

type TimesByName = Readonly<Record<string, readonly number[]>>;

interface Measurements {
  readonly electron: string;
  readonly emptyTimes: TimesByName;
  readonly fullTimes: TimesByName;
  readonly keyTimes: TimesByName;
  readonly largeViewKeyTimes: TimesByName;
  readonly starts: Readonly<Record<'warm' | 'cold', readonly StartTime[]>>;
  readonly memory: readonly MemoryUse[];
}

function buildReport(measurements: Measurements): BenchReport {
  const { electron, emptyTimes, fullTimes, keyTimes, largeViewKeyTimes, starts, memory } = measurements;
  const pending = `${formatNumber(PENDING_COUNT)} pending`;
  return {
    tables: [
      table('desktop: ms from a request (its time, taken before the commit) until its row is painted', 'request', [
        ['requested by the start of a run', emptyTimes['urgent']],
        ['requested after a job', emptyTimes['urgent-after-job']],
        [`by the start, ${pending}`, fullTimes['urgent']],
        [`after a job, ${pending}`, fullTimes['urgent-after-job']],
      ]),
      table(`desktop: ms from a key until its effect is painted, ${pending}`, 'key', [
        ...Object.entries(keyTimes),
        ['all keys', Object.values(keyTimes).flat()],
      ]),
      table(`desktop: the same with ${LARGE_COUNT} large decision views first`, 'key', [
        ...Object.entries(largeViewKeyTimes),
        ['all keys', Object.values(largeViewKeyTimes).flat()],
      ]),
      table(`desktop: ms from the start of the process, ${pending}`, 'until', [
        ['rows are painted, warm', starts.warm.map(({ rowsMs }) => rowsMs)],
        ['a key has its effect, warm', starts.warm.map(({ usableMs }) => usableMs)],
        ['rows are painted, cold', starts.cold.map(({ rowsMs }) => rowsMs)],
        ['a key has its effect, cold', starts.cold.map(({ usableMs }) => usableMs)],
      ]),
      {
        title: `desktop: memory in MiB after changes received from the feed, ${pending}`,
        columns: ['changes', 'window heap', 'window nodes', 'main heap', 'window total', 'main total'],
        rows: memory.map(({ changes, windowHeap, windowNodes, mainHeap, windowSet, mainSet }) => [
          formatNumber(changes),
          formatNumber(windowHeap, 1),
          formatNumber(windowNodes),
          formatNumber(mainHeap, 1),
          formatNumber(windowSet),
          formatNumber(mainSet),
        ]),
      },
    ],
    notes: [
      `Electron ${electron}, on a screen without a graphics card. Each time includes one frame more than necessary. Cold: without Chromium's caches, and with its files read from disk.`,
    ],
    figures: measurements,
  };
}

function table(
  title: string,
  label: string,
  rows: readonly (readonly [string, readonly number[] | undefined])[],
): Table {
  return {
    title,
    columns: [label, 'samples', 'p50', 'p95', 'worst'],
    rows: rows.map(([name, times = []]) => [
      name,
      formatNumber(times.length),
      formatNumber(median(times)),
      formatNumber(quantile(times, 0.95)),
      formatNumber(Math.max(...times)),
    ]),
  };
}
