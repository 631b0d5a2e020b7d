import type { Benchmark } from '../benchmark.js';
import { interruptedModel, largeTable, longModel, parallelModel, terminatedModel } from '../held-loop/large-models.js';
import { openServer, type ServerUnderTest } from '../held-loop/server-under-test.js';
import { heldDuring } from '../measure/held-during.js';
import { median } from '../measure/statistics.js';
import { figure, range } from '../measure/table.js';

const ITEMS = 9_900;
const TASKS = 9_000;
/** About a megabyte, the maximum size of a request. */
const RULES = 4_500;
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

const start = (server: ServerUnderTest, workflowId: string, inputs: object): Promise<string> =>
  server.post('/api/runs', JSON_TYPE, JSON.stringify({ workflowId, inputs }));

const items = Array.from({ length: ITEMS }, (_, index) => index);

const parallel = (kind: 'serviceTask' | 'userTask'): Scenario => ({
  name: `start of ${figure(ITEMS)} parallel ${kind}s`,
  prepare: async (server) => {
    await server.post('/api/workflows', XML_TYPE, parallelModel(kind, kind));
    await start(server, kind, { items: [1] });
    return () => start(server, kind, { items });
  },
});

/** A separate workflow for each repetition, because compiled ones are cached. */
const large = (
  name: string,
  prepare: (server: ServerUnderTest, workflowId: string, xml: string) => Promise<() => Promise<unknown>>,
): Scenario => ({
  name,
  prepare: (server, repetition) => {
    const workflowId = `long-${name.replaceAll(/[^a-z]+/g, '-')}-${repetition}`;
    return prepare(server, workflowId, longModel(workflowId, TASKS));
  },
});

/** A separate run for each repetition, because the steps of a displayed run are cached. */
const shown = (name: string, path: (runId: string) => string): Scenario => ({
  name: `${name} of ${figure(ITEMS)} parallel userTasks`,
  prepare: async (server) => {
    const { runId } = JSON.parse(await start(server, 'userTask', { items })) as { runId: string };
    return () => server.get(path(runId));
  },
});

/** Items of realistic size: records, not numbers. */
const records = items.map((index) => ({ index, customer: `customer ${index}`, amount: index * 3, note: 'as agreed' }));

const startOf = async (server: ServerUnderTest, workflowId: string, inputs: object): Promise<string> =>
  (JSON.parse(await start(server, workflowId, inputs)) as { runId: string }).runId;

/** The job type expression has no value at first, so each step becomes an incident. */
const recovery: Scenario = {
  name: `recovery of ${figure(ITEMS)} parallel serviceTasks`,
  prepare: async (server, repetition) => {
    const workflowId = `recovered-${repetition}`;
    await server.post('/api/workflows', XML_TYPE, parallelModel(workflowId, 'serviceTask', '=kind'));
    const runId = await startOf(server, workflowId, { items: records });
    const body = JSON.stringify({ variables: { kind: 'nobody-does-this' } });
    return () => server.post(`/api/runs/${runId}/recover`, JSON_TYPE, body);
  },
};

const migration = (kind: 'serviceTask' | 'userTask'): Scenario => ({
  name: `migration of ${figure(ITEMS)} parallel ${kind}s`,
  prepare: async (server, repetition) => {
    const workflowId = `moved-${kind}-${repetition}`;
    const xml = parallelModel(workflowId, kind);
    await server.post('/api/workflows', XML_TYPE, xml);
    const runId = await startOf(server, workflowId, { items: records });
    await server.post('/api/workflows', XML_TYPE, xml.replace('<bpmn:startEvent ', '<bpmn:startEvent name="start" '));
    return () => server.post(`/api/runs/${runId}/migrate`, JSON_TYPE, JSON.stringify({ version: 2 }));
  },
});

/** Measures a message that ends all tasks. */
const ended = (name: string, modelOf: (workflowId: string) => string): Scenario => ({
  name: `${name} with ${figure(ITEMS)} parallel userTasks`,
  prepare: async (server, repetition) => {
    const workflowId = `${name.replaceAll(' ', '-')}-${repetition}`;
    await server.post('/api/workflows', XML_TYPE, modelOf(workflowId));
    await start(server, workflowId, { items: records, key: workflowId });
    return () => server.correlate('stop', workflowId);
  },
});

const erasure: Scenario = {
  name: `erasure of ${figure(ITEMS)} parallel userTasks`,
  prepare: async (server) => {
    const runId = await startOf(server, 'userTask', { items: records });
    await server.post(`/api/runs/${runId}/cancel`, JSON_TYPE, JSON.stringify({ reason: 'bench' }));
    return () =>
      server.post(`/api/runs/${runId}/personal-data-erasures`, JSON_TYPE, JSON.stringify({ reason: 'bench' }));
  },
};

const SCENARIOS: readonly Scenario[] = [
  parallel('serviceTask'),
  parallel('userTask'),
  large(
    `deployment of ${figure(TASKS)} tasks`,
    async (server, _workflowId, xml) => () => server.post('/api/workflows', XML_TYPE, xml),
  ),
  large(`first start of ${figure(TASKS)} tasks`, async (server, workflowId, xml) => {
    await server.post('/api/workflows', XML_TYPE, xml);
    return () => start(server, workflowId, {});
  }),
  {
    name: `deployment of a table of ${figure(RULES)} rules`,
    prepare: (server, repetition) => {
      const xml = largeTable(`large-${repetition}`, RULES);
      return Promise.resolve(() => server.post('/api/decisions', XML_TYPE, xml));
    },
  },
  {
    name: `cancel of ${figure(ITEMS)} parallel userTasks`,
    prepare: async (server) => {
      const { runId } = JSON.parse(await start(server, 'userTask', { items })) as { runId: string };
      return () => server.post(`/api/runs/${runId}/cancel`, JSON_TYPE, JSON.stringify({ reason: 'bench' }));
    },
  },
  recovery,
  migration('serviceTask'),
  migration('userTask'),
  ended('interrupting message', interruptedModel),
  ended('terminate end event', terminatedModel),
  erasure,
  shown('run', (runId) => `/api/runs/${runId}`),
  shown('state', (runId) => `/api/runs/${runId}/state`),
  shown('200 events', (runId) => `/api/runs/${runId}/events?limit=200`),
  shown('evidence pack', (runId) => `/api/runs/${runId}/evidence-pack`),
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
            `${name}: ${figure(sample.totalMs)} ms, held ${figure(sample.heldMs)} ms, CPU ${figure(sample.cpuMs)} ms`,
          );
          // The first repetition of each is a warm-up.
          if (repetition > 0) samples.get(name)?.push(sample);
        }
      }
      const of = (name: string, pick: (sample: HeldSample) => number): number[] => samples.get(name)?.map(pick) ?? [];
      return {
        tables: [
          {
            title: 'held-loop: one request, and the longest block of the event loop during it',
            columns: ['request', 'held, ms', 'least – most', 'total, ms', 'CPU of Node, ms'],
            rows: SCENARIOS.map(({ name }) => [
              name,
              figure(median(of(name, (each) => each.heldMs))),
              range(of(name, (each) => each.heldMs)),
              figure(median(of(name, (each) => each.totalMs))),
              figure(median(of(name, (each) => each.cpuMs))),
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
  const heldMs = await heldDuring(async () => {
    await request();
    totalMs = performance.now() - startedAt;
  });
  const { user, system } = process.cpuUsage(cpuBefore);
  return { totalMs, heldMs, cpuMs: (user + system) / 1_000 };
}
