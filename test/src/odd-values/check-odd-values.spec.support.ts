import { until } from '@countersign/testing';
import { SeededRandom } from '../seeded-random.spec.support.js';
import { HealthyRuns, type Lateness } from './healthy-runs.spec.support.js';
import { runCommand } from './odd-commands.spec.support.js';
import { clipped, type Logged, OddWorld } from './odd-world.spec.support.js';

export interface OddValuesCheck {
  readonly commands: number;
  readonly seed: string;
  /** Number of the first command, to repeat one. */
  readonly from?: number;
  readonly onProgress?: (done: number, faults: number) => void;
}

export interface OddValuesReport {
  /** Findings, each with the number of its command. */
  readonly faults: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly healthyRuns: number;
  readonly worst: Lateness;
}

const LANES = 4;
const MAX_FAULTS = 50;

/**
 * Sends odd values to a server in every possible way, several commands in parallel. Each command depends only on the
 * seed and its number, so `from` repeats it.
 */
export async function checkOddValues({
  commands,
  seed,
  from = 0,
  onProgress,
}: OddValuesCheck): Promise<OddValuesReport> {
  const world = await OddWorld.create();
  const faults: string[] = [];
  const counts: Record<string, number> = {};
  const underWay = new Set<number>();
  const random = new SeededRandom(seed);
  let next = from;
  let done = 0;
  const lane = async (): Promise<void> => {
    while (next < from + commands && faults.length < MAX_FAULTS) {
      const number = next;
      next += 1;
      underWay.add(number);
      const { name, fault } = await runCommand(world, random.turn(number), number);
      underWay.delete(number);
      counts[name] = (counts[name] ?? 0) + 1;
      if (fault !== undefined) faults.push(`command ${number} (${name}): ${fault}`);
      done += 1;
      onProgress?.(done, faults.length);
    }
  };
  try {
    const healthy = new HealthyRuns(world.server, () => [...underWay]);
    const healthyEnds = healthy.run();
    await Promise.all(Array.from({ length: LANES }, lane));
    healthy.stop();
    const { count, worst } = await healthyEnds;
    faults.push(...(await faultsAtRest(world)));
    return { faults, counts, healthyRuns: count, worst };
  } finally {
    await world.close();
  }
}

/** Returns what is unfinished some time after the last command, and unexpected log entries. */
async function faultsAtRest(world: OddWorld): Promise<string[]> {
  const faults: string[] = [];
  let stuck: string[] = [];
  await until('nothing is overdue', async () => {
    stuck = await world.stuck();
    return stuck.length === 0;
  }).catch(() => faults.push(`Overdue: ${stuck.slice(0, 5).join(', ')} (${stuck.length})`));
  faults.push(...(await world.complaints()).map((complaint) => `Not ready: ${complaint}`));
  const logged = new Map<string, Logged[]>();
  for (const entry of world.logged) logged.set(entry.message, [...(logged.get(entry.message) ?? []), entry]);
  for (const [text, [first, ...more]] of logged)
    faults.push(`Logged ${1 + more.length} times: ${text} ${clipped(JSON.stringify(first?.fields, withErrors))}`);
  return faults;
}

function withErrors(_key: string, value: unknown): unknown {
  return value instanceof Error ? { ...value, message: value.message, stack: value.stack } : value;
}
