import { waitUntil } from '@countersign/testing';
import { SeededRandom } from '../seeded-random.spec.support.js';
import { HealthyRuns, type RunDelay } from './healthy-runs.spec.support.js';
import { runCommand } from './odd-commands.spec.support.js';
import { clip, type LogEntry, OddHost } from './odd-host.spec.support.js';

export interface OddValuesCheck {
  readonly commands: number;
  readonly seed: string;
  /** Number of the first command, to repeat a single command. */
  readonly from?: number;
  readonly onProgress?: (completed: number, faults: number) => void;
}

export interface OddValuesReport {
  /** Findings, each with the number of its command. */
  readonly faults: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly healthyRuns: number;
  readonly maxLateness: RunDelay;
}

const CONCURRENCY = 4;
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
  const oddHost = await OddHost.create();
  const faults: string[] = [];
  const counts: Record<string, number> = {};
  const activeCommands = new Set<number>();
  const random = new SeededRandom(seed);
  let next = from;
  let completed = 0;
  const runCommands = async (): Promise<void> => {
    while (next < from + commands && faults.length < MAX_FAULTS) {
      const number = next;
      next += 1;
      activeCommands.add(number);
      const { name, fault } = await runCommand(oddHost, random.derive(number), number);
      activeCommands.delete(number);
      counts[name] = (counts[name] ?? 0) + 1;
      if (fault !== undefined) faults.push(`command ${number} (${name}): ${fault}`);
      completed += 1;
      onProgress?.(completed, faults.length);
    }
  };
  try {
    const healthyRuns = new HealthyRuns(oddHost.server, () => [...activeCommands]);
    const healthyRunsResult = healthyRuns.run();
    await Promise.all(Array.from({ length: CONCURRENCY }, runCommands));
    healthyRuns.stop();
    const { count, maxLateness } = await healthyRunsResult;
    faults.push(...(await findErrorsAtRest(oddHost)));
    return { faults, counts, healthyRuns: count, maxLateness };
  } finally {
    await oddHost.close();
  }
}

/** Returns the overdue runs and readiness problems some time after the last command, and the unexpected log entries. */
async function findErrorsAtRest(oddHost: OddHost): Promise<string[]> {
  const faults: string[] = [];
  let stuckRuns: string[] = [];
  await waitUntil('no run is overdue', async () => {
    stuckRuns = await oddHost.findOverdueWork();
    return stuckRuns.length === 0;
  }).catch(() => faults.push(`Overdue: ${stuckRuns.slice(0, 5).join(', ')} (${stuckRuns.length})`));
  faults.push(...(await oddHost.findReadinessProblems()).map((readinessProblem) => `Not ready: ${readinessProblem}`));
  const logged = new Map<string, LogEntry[]>();
  for (const entry of oddHost.logged) logged.set(entry.message, [...(logged.get(entry.message) ?? []), entry]);
  for (const [message, [firstEntry, ...repeated]] of logged)
    faults.push(
      `Logged ${1 + repeated.length} times: ${message} ${clip(JSON.stringify(firstEntry?.fields, errorReplacer))}`,
    );
  return faults;
}

function errorReplacer(_key: string, value: unknown): unknown {
  return value instanceof Error ? { ...value, message: value.message, stack: value.stack } : value;
}
