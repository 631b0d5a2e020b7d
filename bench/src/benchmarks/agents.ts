import { openAgents } from '../agents/agents-under-test.js';
import { BareAgent } from '../agents/bare-agent.js';
import { startModelServer } from '../agents/model-server.js';
import { createPolicyFunction, createPolicyRequest } from '../agents/policy-workload.js';
import type { Benchmark } from '../benchmark.js';
import { interleave } from '../measure/interleave.js';
import { Meter, type Sample } from '../measure/meter.js';
import { median } from '../measure/statistics.js';
import { formatNumber, formatRange, type Table } from '../measure/table.js';
import { runConcurrently } from '../workload/run-concurrently.js';

const RUNS = 200;
const TURNS = 4;
/** Calls in each turn except the last. The difference in time between the two is the cost of the additional calls. */
const [FEW_CALLS, MANY_CALLS] = [1, 5];
const MODELS = [`${TURNS}x${FEW_CALLS}`, `${TURNS}x${MANY_CALLS}`] as const;
const POLICIES = 500;
const POLICY_DECISIONS = 5_000;

/**
 * Agent steps compared with the same agent loop written directly on the SDK, with the same local language model server;
 * and the speed of policy decisions with 500 policies.
 */
export const agents: Benchmark = {
  name: 'agents',
  database: true,
  async run({ postgres, runs = RUNS, repetitions, progress }) {
    const database = await postgres.createDatabase();
    const server = await startModelServer();
    const runtime = await openAgents(database, server.baseUrl, MODELS);
    const bareAgent = new BareAgent(server.baseUrl);
    const meter = await Meter.open(database);
    try {
      const phase = (name: string, complete: (model: string) => Promise<void>, model: string) => ({
        name: `${name} ${model}`,
        run: () => meter.measure(runs, () => runConcurrently(runs, 1, () => complete(model))),
      });
      const phases = MODELS.flatMap((model) => [
        phase('SDK', (name) => bareAgent.complete(name), model),
        phase('runtime', (name) => runtime.complete(name), model),
      ]);
      progress('warming up');
      for (const { run } of phases) await run();
      const samples = await interleave(phases, repetitions, (name, { runsPerSecond }) =>
        progress(`${name}: ${formatNumber(runsPerSecond, 1)} steps/s`),
      );
      progress('policies');
      const policySpeed = await measurePolicySpeed(repetitions);
      const costs = { SDK: computeCost(samples, 'SDK'), runtime: computeCost(samples, 'runtime') };
      return {
        tables: [stepTable(samples, runs, repetitions), policyTable(policySpeed)],
        notes: [
          `Overhead of the runtime, one step at a time: ${formatNumber(costs.runtime.turnMs - costs.SDK.turnMs, 2)} ms per turn and ${formatNumber(costs.runtime.callMs - costs.SDK.callMs, 2)} ms per tool call, ` +
            `${formatNumber(costs.runtime.turnCpuMs - costs.SDK.turnCpuMs, 2)} and ${formatNumber(costs.runtime.callCpuMs - costs.SDK.callCpuMs, 2)} ms of CPU (the time per turn includes the start and the end of the run).`,
        ],
        figures: { runs, repetitions, turns: TURNS, samples: Object.fromEntries(samples), costs, policySpeed },
      };
    } finally {
      await meter.close();
      await runtime.close();
      server.close();
    }
  },
};

interface Cost {
  readonly turnMs: number;
  readonly callMs: number;
  readonly turnCpuMs: number;
  readonly callCpuMs: number;
}

/**
 * Returns the costs of a turn and of a call. The cost of a call is the extra time of steps with many calls, divided by
 * the number of extra calls; the remaining time is the cost of the turns.
 */
function computeCost(samples: ReadonlyMap<string, readonly Sample[]>, name: string): Cost {
  const [fewCallsSamples, manyCallsSamples] = MODELS.map((model) => samples.get(`${name} ${model}`) ?? []);
  const wall = splitCost(fewCallsSamples, manyCallsSamples, ({ runsPerSecond }) => 1000 / runsPerSecond);
  const cpu = splitCost(fewCallsSamples, manyCallsSamples, cpuMs);
  return { turnMs: wall.turn, callMs: wall.call, turnCpuMs: cpu.turn, callCpuMs: cpu.call };
}

function splitCost(
  fewCallsSamples: readonly Sample[] = [],
  manyCallsSamples: readonly Sample[] = [],
  value: (sample: Sample) => number,
): { turn: number; call: number } {
  const [fewCost, manyCost] = [median(fewCallsSamples.map(value)), median(manyCallsSamples.map(value))];
  const call = (manyCost - fewCost) / ((TURNS - 1) * (MANY_CALLS - FEW_CALLS));
  return { call, turn: (fewCost - (TURNS - 1) * FEW_CALLS * call) / TURNS };
}

/**
 * Returns the CPU time of Node.js and PostgreSQL. The bare SDK does not use the database, so during its phase, the CPU
 * time of PostgreSQL is background work.
 */
function cpuMs({ nodeCpuMs = Number.NaN, postgresCpuMs = 0 }: Sample): number {
  return nodeCpuMs + postgresCpuMs;
}

function stepTable(samples: ReadonlyMap<string, readonly Sample[]>, runs: number, repetitions: number): Table {
  return {
    title: `agents: ${formatNumber(runs)} steps per repetition, one at a time, ${TURNS} turns each, ${repetitions} repetitions, medians`,
    columns: ['turns x calls per turn', 'ms/step', 'min – max', 'CPU ms/step', 'CPU cores used by other processes'],
    rows: [...samples].map(([name, all]) => {
      const times = all.map(({ runsPerSecond }) => 1000 / runsPerSecond);
      return [
        name,
        formatNumber(median(times), 1),
        formatRange(times, 1),
        formatNumber(median(all.map(cpuMs)), 1),
        formatNumber(median(all.flatMap(({ otherProcessesCores }) => otherProcessesCores ?? [])), 2),
      ];
    }),
  };
}

interface PolicySpeed {
  readonly distinctCallRates: readonly number[];
  readonly repeatedCallRates: readonly number[];
}

async function measurePolicySpeed(repetitions: number): Promise<PolicySpeed> {
  const policy = await createPolicyFunction(POLICIES);
  const speeds = { distinctCallRates: [] as number[], repeatedCallRates: [] as number[] };
  const measure = (toIndex: (index: number) => number): number => {
    const requests = Array.from({ length: POLICY_DECISIONS }, (_, index) => createPolicyRequest(toIndex(index)));
    const startedAt = performance.now();
    for (const each of requests) policy(each);
    return (POLICY_DECISIONS / (performance.now() - startedAt)) * 1000;
  };
  measure((index) => -index);
  for (let repetition = 1; repetition <= repetitions; repetition += 1) {
    speeds.distinctCallRates.push(measure((index) => repetition * POLICY_DECISIONS + index));
    speeds.repeatedCallRates.push(measure((index) => index % 10));
  }
  return speeds;
}

function policyTable({ distinctCallRates, repeatedCallRates }: PolicySpeed): Table {
  const row = (name: string, all: readonly number[]): string[] => [name, formatNumber(median(all)), formatRange(all)];
  return {
    title: `Policy decisions about calls, with ${POLICIES} policies`,
    columns: ['requests', 'decisions/s', 'min – max'],
    rows: [row('all different', distinctCallRates), row('ten calls, repeated', repeatedCallRates)],
  };
}
