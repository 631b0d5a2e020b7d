import type { Benchmark } from '../benchmark.js';
import { interruptedModel, largeTable, longModel, parallelModel, terminatedModel } from '../held-loop/large-models.js';
import { openServer, type ServerUnderTest } from '../held-loop/server-under-test.js';
import { maxEventLoopDelay } from '../measure/max-event-loop-delay.js';
import { median } from '../measure/statistics.js';
import { formatNumber, formatRange } from '../measure/table.js';

const ITEM_COUNT = 9_900;
const TASK_COUNT = 9_000;
/** About a megabyte, the maximum size of a request. */
const RULE_COUNT = 4_500;
const JSON_TYPE = 'application/json';
const XML_TYPE = 'application/xml';

interface HeldSample {
  readonly totalMs: number;
  /** Longest time that the event loop was blocked during the request. */
  readonly heldMs: number;
  /** CPU of this process with all threads, independent of other load on the machine. */
  readonly cpuMs: number;
}

interface Scenario {
  readonly name: string;
  /**
   * Prepares each repetition; its own time does not count.
   *
   * @returns the work to measure
   */
  prepare(server: ServerUnderTest, repetition: number): Promise<() => Promise<unknown>>;
}

const postRun = (server: ServerUnderTest, workflowId: string, inputs: object): Promise<string> =>
  server.post('/api/runs', JSON_TYPE, JSON.stringify({ workflowId, inputs }));

const items = Array.from({ length: ITEM_COUNT }, (_, index) => index);

const startOfParallelTasks = (kind: 'serviceTask' | 'userTask'): Scenario => ({
  name: `start of ${formatNumber(ITEM_COUNT)} parallel ${kind}s`,
  prepare: async (server) => {
    await server.post('/api/workflows', XML_TYPE, parallelModel(kind, kind));
    await postRun(server, kind, { items: [1] });
    return () => postRun(server, kind, { items });
  },
});

/** A separate workflow for each repetition, because compiled ones are cached. */
const longModelScenario = (
  name: string,
  prepare: (server: ServerUnderTest, workflowId: string, xml: string) => Promise<() => Promise<unknown>>,
): Scenario => ({
  name,
  prepare: (server, repetition) => {
    const workflowId = `long-${name.replaceAll(/[^a-z]+/g, '-')}-${repetition}`;
    return prepare(server, workflowId, longModel(workflowId, TASK_COUNT));
  },
});

/** A separate run for each repetition, because the steps of a displayed run are cached. */
const readScenario = (name: string, path: (runId: string) => string): Scenario => ({
  name: `${name} of ${formatNumber(ITEM_COUNT)} parallel userTasks`,
  prepare: async (server) => {
    const { runId } = JSON.parse(await postRun(server, 'userTask', { items })) as { runId: string };
    return () => server.get(path(runId));
  },
});

/** Items of realistic size: records, not numbers. */
const records = items.map((index) => ({ index, customer: `customer ${index}`, amount: index * 3, note: 'as agreed' }));

const startRun = async (server: ServerUnderTest, workflowId: string, inputs: object): Promise<string> =>
  (JSON.parse(await postRun(server, workflowId, inputs)) as { runId: string }).runId;

/** The job type expression has no value at first, so each step becomes an incident. */
const recoveryScenario: Scenario = {
  name: `recovery of ${formatNumber(ITEM_COUNT)} parallel serviceTasks`,
  prepare: async (server, repetition) => {
    const workflowId = `recovered-${repetition}`;
    await server.post('/api/workflows', XML_TYPE, parallelModel(workflowId, 'serviceTask', '=kind'));
    const runId = await startRun(server, workflowId, { items: records });
    const body = JSON.stringify({ variables: { kind: 'nobody-does-this' } });
    return () => server.post(`/api/runs/${runId}/recover`, JSON_TYPE, body);
  },
};

const migrationScenario = (kind: 'serviceTask' | 'userTask'): Scenario => ({
  name: `migration of ${formatNumber(ITEM_COUNT)} parallel ${kind}s`,
  prepare: async (server, repetition) => {
    const workflowId = `moved-${kind}-${repetition}`;
    const xml = parallelModel(workflowId, kind);
    await server.post('/api/workflows', XML_TYPE, xml);
    const runId = await startRun(server, workflowId, { items: records });
    await server.post('/api/workflows', XML_TYPE, xml.replace('<bpmn:startEvent ', '<bpmn:startEvent name="start" '));
    return () => server.post(`/api/runs/${runId}/migrate`, JSON_TYPE, JSON.stringify({ version: 2 }));
  },
});

/** Measures a message that ends all tasks. */
const messageScenario = (name: string, createModel: (workflowId: string) => string): Scenario => ({
  name: `${name} with ${formatNumber(ITEM_COUNT)} parallel userTasks`,
  prepare: async (server, repetition) => {
    const workflowId = `${name.replaceAll(' ', '-')}-${repetition}`;
    await server.post('/api/workflows', XML_TYPE, createModel(workflowId));
    await postRun(server, workflowId, { items: records, key: workflowId });
    return () => server.correlate('stop', workflowId);
  },
});

const erasureScenario: Scenario = {
  name: `erasure of ${formatNumber(ITEM_COUNT)} parallel userTasks`,
  prepare: async (server) => {
    const runId = await startRun(server, 'userTask', { items: records });
    await server.post(`/api/runs/${runId}/cancel`, JSON_TYPE, JSON.stringify({ reason: 'bench' }));
    return () =>
      server.post(`/api/runs/${runId}/personal-data-erasures`, JSON_TYPE, JSON.stringify({ reason: 'bench' }));
  },
};

const SCENARIOS: readonly Scenario[] = [
  startOfParallelTasks('serviceTask'),
  startOfParallelTasks('userTask'),
  longModelScenario(
    `deployment of ${formatNumber(TASK_COUNT)} tasks`,
    async (server, _workflowId, xml) => () => server.post('/api/workflows', XML_TYPE, xml),
  ),
  longModelScenario(`first start of ${formatNumber(TASK_COUNT)} tasks`, async (server, workflowId, xml) => {
    await server.post('/api/workflows', XML_TYPE, xml);
    return () => postRun(server, workflowId, {});
  }),
  {
    name: `deployment of a table of ${formatNumber(RULE_COUNT)} rules`,
    prepare: (server, repetition) => {
      const xml = largeTable(`large-${repetition}`, RULE_COUNT);
      return Promise.resolve(() => server.post('/api/decisions', XML_TYPE, xml));
    },
  },
  {
    name: `cancel of ${formatNumber(ITEM_COUNT)} parallel userTasks`,
    prepare: async (server) => {
      const { runId } = JSON.parse(await postRun(server, 'userTask', { items })) as { runId: string };
      return () => server.post(`/api/runs/${runId}/cancel`, JSON_TYPE, JSON.stringify({ reason: 'bench' }));
    },
  },
  recoveryScenario,
  migrationScenario('serviceTask'),
  migrationScenario('userTask'),
  messageScenario('interrupting message', interruptedModel),
  messageScenario('terminate end event', terminatedModel),
  erasureScenario,
  readScenario('run', (runId) => `/api/runs/${runId}`),
  readScenario('state', (runId) => `/api/runs/${runId}/state`),
  readScenario('200 events', (runId) => `/api/runs/${runId}/events?limit=200`),
  readScenario('evidence pack', (runId) => `/api/runs/${runId}/evidence-pack`),
];

/** Measures how long one large request delays all others. */
export const heldLoop: Benchmark = {
  name: 'held-loop',
  database: true,
  async run({ postgres, repetitions, progress }) {
    const server = await openServer(await postgres.createDatabase());
    try {
      const samples = new Map<string, HeldSample[]>(SCENARIOS.map(({ name }) => [name, []]));
      for (let repetition = 0; repetition <= repetitions; repetition += 1) {
        for (const { name, prepare } of SCENARIOS) {
          const sample = await measure(await prepare(server, repetition));
          progress(
            `${name}: ${formatNumber(sample.totalMs)} ms, held ${formatNumber(sample.heldMs)} ms, CPU ${formatNumber(sample.cpuMs)} ms`,
          );
          // The first repetition of each is a warm-up.
          if (repetition > 0) samples.get(name)?.push(sample);
        }
      }
      const valuesOf = (name: string, pick: (sample: HeldSample) => number): number[] =>
        samples.get(name)?.map(pick) ?? [];
      return {
        tables: [
          {
            title: 'held-loop: one request, and the longest block of the event loop during it',
            columns: ['request', 'held, ms', 'least – most', 'total, ms', 'CPU of Node, ms'],
            rows: SCENARIOS.map(({ name }) => [
              name,
              formatNumber(median(valuesOf(name, (each) => each.heldMs))),
              formatRange(valuesOf(name, (each) => each.heldMs)),
              formatNumber(median(valuesOf(name, (each) => each.totalMs))),
              formatNumber(median(valuesOf(name, (each) => each.cpuMs))),
            ]),
          },
        ],
        notes: [`${repetitions} repetitions after a warm-up, medians. CPU of all threads of the server process.`],
        figures: { repetitions, scenarios: Object.fromEntries(samples) },
      };
    } finally {
      await server.close();
    }
  },
};

async function measure(request: () => Promise<unknown>): Promise<HeldSample> {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  let totalMs = 0;
  const heldMs = await maxEventLoopDelay(async () => {
    await request();
    totalMs = performance.now() - startedAt;
  });
  const { user, system } = process.cpuUsage(cpuBefore);
  return { totalMs, heldMs, cpuMs: (user + system) / 1_000 };
}
