import type { Benchmark } from '../benchmark.js';
import {
  buildInterruptedModel,
  buildLargeTable,
  buildLongModel,
  buildParallelModel,
  buildTerminatedModel,
} from '../blocked-loop/large-models.js';
import { openServer, type ServerUnderTest } from '../blocked-loop/server-under-test.js';
import { measureMaxEventLoopDelay } from '../measure/measure-max-event-loop-delay.js';
import { median } from '../measure/statistics.js';
import { formatNumber, formatRange } from '../measure/table.js';

const ITEM_COUNT = 9_900;
const TASK_COUNT = 9_000;
/**
 * Number of rules in the DMN table. Its file has about 950 kB, slightly less than the default limit for a request body.
 */
const RULE_COUNT = 4_500;
const JSON_TYPE = 'application/json';
const XML_TYPE = 'application/xml';

interface BlockingSample {
  readonly totalMs: number;
  /** Longest time that the event loop was blocked during the request. */
  readonly blockedMs: number;
  /** CPU time of all threads of this process. Other load on the machine affects it less than `totalMs`. */
  readonly cpuMs: number;
}

interface Scenario {
  readonly name: string;
  /**
   * Prepares a repetition. The preparation is not measured.
   *
   * @returns the work to measure
   */
  prepare(server: ServerUnderTest, repetition: number): Promise<() => Promise<unknown>>;
}

const postRun = (server: ServerUnderTest, workflowId: string, inputs: object): Promise<string> =>
  server.post('/api/runs', JSON_TYPE, JSON.stringify({ workflowId, inputs }));

const items = Array.from({ length: ITEM_COUNT }, (_, index) => index);

const createStartScenario = (kind: 'serviceTask' | 'userTask'): Scenario => ({
  name: `start of ${formatNumber(ITEM_COUNT)} parallel ${kind}s`,
  prepare: async (server) => {
    await server.post('/api/workflows', XML_TYPE, buildParallelModel(kind, kind));
    await postRun(server, kind, { items: [1] });
    return () => postRun(server, kind, { items });
  },
});

/**
 * Creates a scenario with a long BPMN model. Each repetition has a separate workflow, because compiled workflows are
 * cached.
 */
const createLongModelScenario = (
  name: string,
  prepare: (server: ServerUnderTest, workflowId: string, xml: string) => Promise<() => Promise<unknown>>,
): Scenario => ({
  name,
  prepare: (server, repetition) => {
    const workflowId = `long-${name.replaceAll(/[^a-z]+/g, '-')}-${repetition}`;
    return prepare(server, workflowId, buildLongModel(workflowId, TASK_COUNT));
  },
});

/**
 * Creates a scenario that reads a large run. Each repetition has a separate run, because the steps of a displayed run
 * are cached.
 */
const createReadScenario = (name: string, path: (runId: string) => string): Scenario => ({
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

/** At first, the job type expression has no value, so each step raises an incident. */
const recoveryScenario: Scenario = {
  name: `recovery of ${formatNumber(ITEM_COUNT)} parallel serviceTasks`,
  prepare: async (server, repetition) => {
    const workflowId = `recovered-${repetition}`;
    await server.post('/api/workflows', XML_TYPE, buildParallelModel(workflowId, 'serviceTask', '=kind'));
    const runId = await startRun(server, workflowId, { items: records });
    const body = JSON.stringify({ variables: { kind: 'nobody-does-this' } });
    return () => server.post(`/api/runs/${runId}/recover`, JSON_TYPE, body);
  },
};

const createMigrationScenario = (kind: 'serviceTask' | 'userTask'): Scenario => ({
  name: `migration of ${formatNumber(ITEM_COUNT)} parallel ${kind}s`,
  prepare: async (server, repetition) => {
    const workflowId = `moved-${kind}-${repetition}`;
    const xml = buildParallelModel(workflowId, kind);
    await server.post('/api/workflows', XML_TYPE, xml);
    const runId = await startRun(server, workflowId, { items: records });
    await server.post('/api/workflows', XML_TYPE, xml.replace('<bpmn:startEvent ', '<bpmn:startEvent name="start" '));
    return () => server.post(`/api/runs/${runId}/migrate`, JSON_TYPE, JSON.stringify({ version: 2 }));
  },
});

/** Creates a scenario in which a message ends all tasks. */
const createMessageScenario = (name: string, createModel: (workflowId: string) => string): Scenario => ({
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
  createStartScenario('serviceTask'),
  createStartScenario('userTask'),
  createLongModelScenario(
    `deployment of ${formatNumber(TASK_COUNT)} tasks`,
    async (server, _workflowId, xml) => () => server.post('/api/workflows', XML_TYPE, xml),
  ),
  createLongModelScenario(`first start of ${formatNumber(TASK_COUNT)} tasks`, async (server, workflowId, xml) => {
    await server.post('/api/workflows', XML_TYPE, xml);
    return () => postRun(server, workflowId, {});
  }),
  {
    name: `deployment of a table of ${formatNumber(RULE_COUNT)} rules`,
    prepare: (server, repetition) => {
      const xml = buildLargeTable(`large-${repetition}`, RULE_COUNT);
      return Promise.resolve(() => server.post('/api/decisions', XML_TYPE, xml));
    },
  },
  {
    name: `cancellation of ${formatNumber(ITEM_COUNT)} parallel userTasks`,
    prepare: async (server) => {
      const { runId } = JSON.parse(await postRun(server, 'userTask', { items })) as { runId: string };
      return () => server.post(`/api/runs/${runId}/cancel`, JSON_TYPE, JSON.stringify({ reason: 'bench' }));
    },
  },
  recoveryScenario,
  createMigrationScenario('serviceTask'),
  createMigrationScenario('userTask'),
  createMessageScenario('interrupting message', buildInterruptedModel),
  createMessageScenario('terminate end event', buildTerminatedModel),
  erasureScenario,
  createReadScenario('run', (runId) => `/api/runs/${runId}`),
  createReadScenario('state', (runId) => `/api/runs/${runId}/state`),
  createReadScenario('200 events', (runId) => `/api/runs/${runId}/events?limit=200`),
  createReadScenario('evidence pack', (runId) => `/api/runs/${runId}/evidence-pack`),
];

/** Time for which one large request delays all others. */
export const blockedLoop: Benchmark = {
  name: 'blocked-loop',
  database: true,
  async run({ postgres, repetitions, progress }) {
    const server = await openServer(await postgres.createDatabase());
    try {
      const samples = new Map<string, BlockingSample[]>(SCENARIOS.map(({ name }) => [name, []]));
      for (let repetition = 0; repetition <= repetitions; repetition += 1) {
        for (const { name, prepare } of SCENARIOS) {
          const sample = await measure(await prepare(server, repetition));
          progress(
            `${name}: ${formatNumber(sample.totalMs)} ms, blocked ${formatNumber(sample.blockedMs)} ms, CPU ${formatNumber(sample.cpuMs)} ms`,
          );
          // The first repetition of each is a warm-up.
          if (repetition > 0) samples.get(name)?.push(sample);
        }
      }
      const getValues = (name: string, pick: (sample: BlockingSample) => number): number[] =>
        samples.get(name)?.map(pick) ?? [];
      return {
        tables: [
          {
            title: 'blocked-loop: one request, and the longest block of the event loop during it',
            columns: ['request', 'blocked, ms', 'min – max', 'total, ms', 'CPU of Node, ms'],
            rows: SCENARIOS.map(({ name }) => [
              name,
              formatNumber(median(getValues(name, (each) => each.blockedMs))),
              formatRange(getValues(name, (each) => each.blockedMs)),
              formatNumber(median(getValues(name, (each) => each.totalMs))),
              formatNumber(median(getValues(name, (each) => each.cpuMs))),
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

async function measure(request: () => Promise<unknown>): Promise<BlockingSample> {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  let totalMs = 0;
  const blockedMs = await measureMaxEventLoopDelay(async () => {
    await request();
    totalMs = performance.now() - startedAt;
  });
  const { user, system } = process.cpuUsage(cpuBefore);
  return { totalMs, blockedMs, cpuMs: (user + system) / 1_000 };
}
