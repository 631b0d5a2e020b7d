import { openAgents } from '../agents/agents-under-test.js';
import { BareAgent } from '../agents/bare-agent.js';
import { startModelServer } from '../agents/model-server.js';
import { manyPolicies, request } from '../agents/policy-speed.js';
import type { Benchmark } from '../benchmark.js';
import { interleave } from '../measure/interleave.js';
import { Meter, type Sample } from '../measure/meter.js';
import { median } from '../measure/statistics.js';
import { figure, range, type Table } from '../measure/table.js';
import { inFlight } from '../workload/in-flight.js';

const RUNS = 200;
const TURNS = 4;
/** Calls of each turn but the last. The difference between the two is the cost of calls. */
const [FEW, MANY] = [1, 5];
const MODELS = [`${TURNS}x${FEW}`, `${TURNS}x${MANY}`] as const;
const POLICIES = 500;
const DECISIONS = 5_000;

/** Agent steps compared with the same loop of the bare SDK, on the same local server; and decisions of 500 policies. */
export const agents: Benchmark = {
  name: 'agents',
  database: true,
  async run({ postgres, runs = RUNS, repetitions, progress }) {
    const database = await postgres.createDatabase();
    const server = await startModelServer();
    const ours = await openAgents(database, server.baseUrl, MODELS);
    const bare = new BareAgent(server.baseUrl);
    const meter = await Meter.open(database);
    try {
      const phase = (name: string, complete: (model: string) => Promise<void>, model: string) => ({
        name: `${name} ${model}`,
        run: () => meter.measure(runs, () => inFlight(runs, 1, () => complete(model))),
      });
      const phases = MODELS.flatMap((model) => [
        phase('SDK', (name) => bare.complete(name), model),
        phase('runtime', (name) => ours.complete(name), model),
      ]);
      progress('warming up');
      for (const { run } of phases) await run();
      const samples = await interleave(phases, repetitions, (name, { runsPerSecond }) =>
        progress(`${name}: ${figure(runsPerSecond, 1)} steps/s`),
      );
      progress('policies');
      const decisions = await policySpeed(repetitions);
      const costs = { SDK: costOf(samples, 'SDK'), runtime: costOf(samples, 'runtime') };
      return {
        tables: [stepTable(samples, runs, repetitions), decisionTable(decisions)],
        notes: [
          `Overhead of the runtime, one step at a time: ${figure(costs.runtime.turnMs - costs.SDK.turnMs, 2)} ms per turn and ${figure(costs.runtime.callMs - costs.SDK.callMs, 2)} ms per tool call, ` +
            `${figure(costs.runtime.turnCpuMs - costs.SDK.turnCpuMs, 2)} and ${figure(costs.runtime.callCpuMs - costs.SDK.callCpuMs, 2)} ms of CPU (the start and the end of the run are included in the turns).`,
        ],
        figures: { runs, repetitions, turns: TURNS, samples: Object.fromEntries(samples), costs, decisions },
      };
    } finally {
      await meter.close();
      await ours.close();
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

/** Returns the cost of a call: the extra time of the steps with many calls. The rest is that of the turns. */
function costOf(samples: ReadonlyMap<string, readonly Sample[]>, name: string): Cost {
  const [few, many] = MODELS.map((model) => samples.get(`${name} ${model}`) ?? []);
  const wall = split(few, many, ({ runsPerSecond }) => 1000 / runsPerSecond);
  const cpu = split(few, many, cpuMs);
  return { turnMs: wall.turn, callMs: wall.call, turnCpuMs: cpu.turn, callCpuMs: cpu.call };
}

function split(
  few: readonly Sample[] = [],
  many: readonly Sample[] = [],
  of: (sample: Sample) => number,
): { turn: number; call: number } {
  const [least, most] = [median(few.map(of)), median(many.map(of))];
  const call = (most - least) / ((TURNS - 1) * (MANY - FEW));
  return { call, turn: (least - (TURNS - 1) * FEW * call) / TURNS };
}

/** The bare SDK does not use the database, so PostgreSQL's CPU during its phase is not its own. */
function cpuMs({ nodeCpuMs = Number.NaN, postgresCpuMs = 0 }: Sample): number {
  return nodeCpuMs + postgresCpuMs;
}

function stepTable(samples: ReadonlyMap<string, readonly Sample[]>, runs: number, repetitions: number): Table {
  return {
    title: `agents: ${figure(runs)} steps per repetition, one at a time, ${TURNS} turns each, ${repetitions} repetitions, medians`,
    columns: ['turns x calls a turn', 'ms/step', 'least – most', 'CPU ms/step', 'others, cores'],
    rows: [...samples].map(([name, all]) => {
      const times = all.map(({ runsPerSecond }) => 1000 / runsPerSecond);
      return [
        name,
        figure(median(times), 1),
        range(times, 1),
        figure(median(all.map(cpuMs)), 1),
        figure(median(all.flatMap(({ othersCores }) => othersCores ?? [])), 2),
      ];
    }),
  };
}

interface DecisionSpeed {
  readonly different: readonly number[];
  readonly alike: readonly number[];
}

async function policySpeed(repetitions: number): Promise<DecisionSpeed> {
  const policy = await manyPolicies(POLICIES);
  const speed = { different: [] as number[], alike: [] as number[] };
  const measure = (indexOf: (index: number) => number): number => {
    const requests = Array.from({ length: DECISIONS }, (_, index) => request(indexOf(index)));
    const startedAt = performance.now();
    for (const each of requests) policy(each);
    return (DECISIONS / (performance.now() - startedAt)) * 1000;
  };
  measure((index) => -index);
  for (let repetition = 1; repetition <= repetitions; repetition += 1) {
    speed.different.push(measure((index) => repetition * DECISIONS + index));
    speed.alike.push(measure((index) => index % 10));
  }
  return speed;
}

function decisionTable({ different, alike }: DecisionSpeed): Table {
  const row = (name: string, all: readonly number[]): string[] => [name, figure(median(all)), range(all)];
  return {
    title: `Policy decisions on calls with ${POLICIES} policies`,
    columns: ['requests', 'decisions/s', 'least – most'],
    rows: [row('all different', different), row('ten different calls', alike)],
  };
}
