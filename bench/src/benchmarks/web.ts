import { createClient, type Client, buildVoteArguments } from '@countersign/contract';
import type { Browser } from 'playwright-core';
import type { Benchmark } from '../benchmark.js';
import { startServerProcess, type ServerProcess } from '../http/server-process.js';
import { setTimeout as delay } from 'node:timers/promises';
import { DECIDING_KEYS, measureKeys } from '../inbox/measure-keys.js';
import { median, quantile } from '../measure/statistics.js';
import { formatNumber } from '../measure/table.js';
import { multiplyRuns, vacuum } from '../postgres/multiply-runs.js';
import {
  countReceivedBytes,
  measureInteractive,
  launchBrowser,
  waitForPaint,
  openSignedInPage,
} from '../web/browser.js';
import { buildApprovalModel, buildLoopModel, buildWideModel } from '../web/models-with-diagram.js';
import { JOB_TYPE } from '../workload/approval-workflow.js';

const RUNS = 10_000;
const REAL_RUNS = 100;
const WIDE_ELEMENTS = 300;
const EVENT_COUNT = 10_000;
/** Three events per pass: the task starts and ends, the gateway is passed. */
const LOOP_PASSES = Math.ceil(EVENT_COUNT / 3);
const LOAD_COUNT = 9;
const UPDATE_COUNT = 40;
/** Passes through the keys of the inbox. */
const PASSES = 15;
/** Time after a page is interactive within which everything else of its first load has arrived, in ms. */
const LAST_RESPONSES_MS = 500;

/** The web UI in Chromium: time until a page is interactive, and until a change is visible. */
export const web: Benchmark = {
  name: 'web',
  database: true,
  async run({ postgres, progress }) {
    const database = await postgres.createDatabase();
    const server = await startServerProcess(database);
    const browser = await launchBrowser();
    try {
      const operator = createClient({ baseUrl: server.url, token: await server.mintToken('olga', 'operator') });
      const approver = createClient({ baseUrl: server.url, token: await server.mintToken('alma', 'approver') });
      progress('creating runs');
      const ids = await prepare(server, operator, database);
      const loads = [];
      for (const page of listPages(ids)) {
        progress(page.name);
        loads.push({ name: page.name, ...(await load(browser, server, page)) });
      }
      progress('updates');
      const updates = await measureUpdates(browser, server, operator, approver);
      progress('keys');
      const keyTimes = await measureInboxKeys(browser, server);
      return {
        tables: [
          {
            title: `web: ms from the navigation until the page is interactive, ${LOAD_COUNT} loads each`,
            columns: ['page', 'KiB of the first load', 'first load', 'p50', 'worst'],
            rows: loads.map(({ name, bytes, cold, warm }) => [
              name,
              formatNumber(median(bytes) / 1_024),
              formatNumber(median(cold)),
              formatNumber(median(warm)),
              formatNumber(Math.max(...cold, ...warm)),
            ]),
          },
          {
            title: `web: ms from a change (the time of its event, taken before its commit) until the diagram shows it, ${UPDATE_COUNT} times`,
            columns: ['change', 'p50', 'p95', 'worst'],
            rows: [
              [
                'a decided approval',
                formatNumber(median(updates)),
                formatNumber(quantile(updates, 0.95)),
                formatNumber(Math.max(...updates)),
              ],
            ],
          },
          {
            title: `web: ms from a key until its effect is painted, ${formatNumber(RUNS)} pending approvals`,
            columns: ['key', 'samples', 'p50', 'p95', 'worst'],
            rows: Object.entries(keyTimes).map(([key, times]) => [
              key,
              formatNumber(times.length),
              formatNumber(median(times)),
              formatNumber(quantile(times, 0.95)),
              formatNumber(Math.max(...times)),
            ]),
          },
        ],
        notes: ['First load: with an empty browser cache. KiB: all received bytes, with the headers of the responses.'],
        figures: { loads, updates, keyTimes },
      };
    } finally {
      await browser.close();
      await server.close();
    }
  },
};

interface RunIds {
  readonly wide: string;
  readonly long: string;
}

async function prepare(server: ServerProcess, client: Client, database: string): Promise<RunIds> {
  const admin = await server.mintToken('ada', 'admin');
  for (const xml of [
    buildApprovalModel('drawn', JOB_TYPE),
    buildWideModel('wide', WIDE_ELEMENTS),
    buildLoopModel('long', LOOP_PASSES),
  ]) {
    const response = await fetch(`${server.url}/api/workflows`, {
      method: 'POST',
      body: xml,
      headers: { 'authorization': `Bearer ${admin}`, 'content-type': 'application/xml' },
    });
    if (!response.ok) throw new Error(await response.text());
  }
  await Promise.all(
    Array.from({ length: REAL_RUNS }, (_, index) =>
      client.startRun({ body: { workflowId: 'drawn', businessKey: `order-${index}` } }),
    ),
  );
  await waitUntilBlocked(client, 'drawn', REAL_RUNS);
  await multiplyRuns(database, RUNS / REAL_RUNS);
  const wide = await client.startRun({ body: { workflowId: 'wide' } });
  const long = await client.startRun({ body: { workflowId: 'long' } });
  await waitUntilBlocked(client, 'wide', 1);
  await waitUntilBlocked(client, 'long', 1);
  const { lastSeq } = await client.getRunState({ runId: long.runId });
  if (lastSeq < EVENT_COUNT) throw new Error(`The long run has ${lastSeq} events.`);
  await vacuum(database);
  return { wide: wide.runId, long: long.runId };
}

async function waitUntilBlocked(client: Client, workflowId: string, count: number): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const { items } = await client.listRuns({ workflowId, status: 'blocked', limit: 200 });
    if (items.length >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The runs of ${workflowId} did not reach their approval in time.`);
}

interface MeasuredPage {
  readonly name: string;
  readonly path: string;
  /** Main content of the page. */
  readonly selector: string;
}

function listPages({ wide, long }: RunIds): readonly MeasuredPage[] {
  return [
    { name: `${formatNumber(RUNS)} runs`, path: '/runs', selector: '[role="row"][data-index]' },
    {
      name: `a run of ${formatNumber(WIDE_ELEMENTS)} elements`,
      path: `/runs/${wide}`,
      selector: '.cs-diagram[data-ready="true"] .cs-waiting',
    },
    {
      name: `a run of ${formatNumber(EVENT_COUNT)} events`,
      path: `/runs/${long}`,
      selector: '.cs-diagram[data-ready="true"] .cs-waiting',
    },
    { name: `its events`, path: `/runs/${long}?tab=events`, selector: '[data-seq]' },
    { name: 'its events as a list', path: `/runs/${long}?tab=events&view=list`, selector: '[role="row"][data-index]' },
    {
      name: 'its events as JSON',
      path: `/runs/${long}?tab=events&view=json`,
      selector: '.cs-events-json [role="treeitem"]',
    },
    {
      name: `its state after event ${formatNumber(EVENT_COUNT / 2)}`,
      path: `/runs/${long}?at=${EVENT_COUNT / 2}`,
      selector: '.cs-diagram[data-ready="true"] .cs-active, .cs-diagram[data-ready="true"] .cs-done',
    },
    { name: `${formatNumber(RUNS)} approvals`, path: '/approvals', selector: '[data-index]' },
    {
      name: `a workflow of ${formatNumber(WIDE_ELEMENTS)} elements`,
      path: '/workflows/wide',
      selector: '.cs-diagram[data-ready="true"]',
    },
    {
      name: 'its heat map',
      path: '/workflows/wide?view=heat',
      selector: '.cs-diagram[data-ready="true"] [class*="cs-heat-"]',
    },
  ];
}

async function load(
  browser: Browser,
  server: ServerProcess,
  { path, selector }: MeasuredPage,
): Promise<{ bytes: number[]; cold: number[]; warm: number[] }> {
  const token = await server.mintToken('alma', 'approver');
  const bytes: number[] = [];
  const cold: number[] = [];
  const warm: number[] = [];
  for (let repetition = 0; repetition < LOAD_COUNT; repetition += 1) {
    const page = await openSignedInPage(browser, token);
    const getByteCount = await countReceivedBytes(page);
    cold.push(await measureInteractive(page, `${server.url}${path}`, selector));
    await delay(LAST_RESPONSES_MS);
    bytes.push(getByteCount());
    warm.push(await measureInteractive(page, `${server.url}${path}`, selector));
    await page.context().close();
  }
  return { bytes, cold, warm };
}

async function measureInboxKeys(browser: Browser, server: ServerProcess): Promise<Record<string, number[]>> {
  const page = await openSignedInPage(browser, await server.mintToken('alma', 'approver'));
  await page.goto(`${server.url}/approvals`);
  await page.locator('[data-live="live"]').waitFor();
  const times = await measureKeys(page, DECIDING_KEYS, PASSES);
  await page.context().close();
  return times;
}

/** Measures the time until an open run page shows the vote of another user. */
async function measureUpdates(
  browser: Browser,
  server: ServerProcess,
  operator: Client,
  approver: Client,
): Promise<number[]> {
  const times: number[] = [];
  const page = await openSignedInPage(browser, await server.mintToken('vera', 'approver'));
  for (let repetition = 0; repetition < UPDATE_COUNT; repetition += 1) {
    const { runId } = await operator.startRun({ body: { workflowId: 'drawn' } });
    await page.goto(`${server.url}/runs/${runId}`);
    await page.locator('.cs-diagram[data-ready="true"] [data-element-id="approve"].cs-waiting').waitFor();
    await page.locator('[data-live="live"]').waitFor();
    const [approval] = (await approver.listApprovals({ runId })).items;
    if (approval === undefined) throw new Error('The run has no pending approval.');
    const paintTime = waitForPaint(page, '.cs-diagram [data-element-id="approve"].cs-done');
    await approver.decideApproval(buildVoteArguments(approval, { decision: 'approve' }));
    const shownAt = await paintTime;
    const { items } = await operator.listRunEvents({ runId, limit: 200 });
    const resolvedEvent = items.find(({ type }) => type === 'approval.resolved');
    if (resolvedEvent === undefined)
      throw new Error(`No event records the vote: ${items.map(({ type }) => type).join()}`);
    times.push(shownAt - Date.parse(resolvedEvent.at));
  }
  await page.context().close();
  return times;
}
