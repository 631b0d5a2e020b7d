import { compareHistories } from '../conformance/compare-histories.js';
import { mapConcurrently } from '../conformance/map-concurrently.js';
import type { CaseEngine } from '../conformance/case-engine.js';
import type { CaseHost, CaseRunOptions } from '../conformance/case-host.js';
import { readHistories, type RunHistory } from '../conformance/run-histories.js';
import type { CaseResult } from '../conformance/verdict.js';
import type { DifferentialCase } from '../differential/case.js';
import { OurHost } from '../differential/our-host.js';
import { OurSide } from '../differential/our-side.js';
import { findRecordedResponse } from '../differential/recorded-responses.js';
import { needsSeparateHost } from '../differential/run-all.js';
import { type CaseOutcome, compareWithZeebe, executeCase } from '../differential/run-case.js';
import type { Side } from '../differential/side.js';

/** Number of cases that are executed at a time: while one waits for the cluster, another one computes. */
const MAX_CONCURRENCY = 2;

/** A case that was executed with both engines. */
export interface PairedCase<T> {
  readonly id: string;
  /** Its results with the embedded engine and with the one that is compared with it. */
  readonly results: readonly T[];
  /** Number of runs whose histories were compared, and of their events. */
  readonly runCount: number;
  readonly eventCount: number;
  /** Differences of the histories, or why they were not compared; empty if all hashes are equal. */
  readonly differences: readonly string[];
}

type RunConformanceCase<C> = (each: C, model: string, options: CaseRunOptions) => Promise<CaseResult>;

/** Executes conformance cases with the embedded engine and with another one. */
export function pairConformanceCases<C extends { readonly id: string; readonly bpmnFile: string }>(
  cases: readonly C[],
  readModel: (file: string) => Buffer,
  run: RunConformanceCase<C>,
  engine: CaseEngine,
): Promise<PairedCase<CaseResult>[]> {
  return mapConcurrently(cases, MAX_CONCURRENCY, async (each) => {
    const execute = async (options: CaseRunOptions): Promise<[CaseResult, readonly RunHistory[]]> => {
      let histories: readonly RunHistory[] = [];
      const inspect = async (host: CaseHost): Promise<void> => {
        histories = await host.readHistories();
      };
      return [await run(each, readModel(each.bpmnFile).toString('utf8'), { ...options, inspect }), histories];
    };
    try {
      const [expectedResult, expected] = await execute({});
      const [result, histories] = await execute({ engine });
      return toPairedCase(each.id, [expectedResult, result], expected, histories);
    } catch (error) {
      return toFailedCase(each.id, error);
    }
  });
}

interface HostPair {
  readonly embedded: OurHost;
  readonly other: OurHost;
}

/** Executes differential cases with the embedded engine and with another one. */
export async function pairDifferentialCases(
  cases: readonly DifferentialCase[],
  engine: CaseEngine,
): Promise<PairedCase<CaseOutcome>[]> {
  const idlePairs: HostPair[] = [];
  const execute = async (each: DifferentialCase, { embedded, other }: HostPair): Promise<ExecutedPair> => {
    alignClocks(embedded, other);
    const expected = new RecordingSide(embedded);
    const recording = new RecordingSide(other);
    const results = [await executeCase(each, expected), await executeCase(each, recording)];
    const outcomes = results.map((result) => compareWithZeebe(each.id, result, findRecordedResponse(each)));
    return {
      paired: toPairedCase(each.id, outcomes, expected.histories, recording.histories),
      hasFailed: results.some((result) => 'failure' in result),
    };
  };
  try {
    return await mapConcurrently(cases, MAX_CONCURRENCY, async (each) => {
      try {
        const isSeparate = needsSeparateHost(each);
        const pair = isSeparate
          ? await startPair(engine, 'timers of runs')
          : (idlePairs.pop() ?? (await startPair(engine)));
        let isReusable = false;
        try {
          const { paired, hasFailed } = await execute(each, pair);
          isReusable = !isSeparate && !hasFailed;
          return paired;
        } finally {
          if (isReusable) idlePairs.push(pair);
          else await closePair(pair);
        }
      } catch (error) {
        return toFailedCase(each.id, error);
      }
    });
  } finally {
    await Promise.all(idlePairs.map(closePair));
  }
}

interface ExecutedPair {
  readonly paired: PairedCase<CaseOutcome>;
  /** Whether one of the hosts may not be idle. */
  readonly hasFailed: boolean;
}

async function startPair(engine: CaseEngine, ...[timers]: Parameters<typeof OurHost.start>): Promise<HostPair> {
  const embedded = await OurHost.start(timers);
  try {
    return { embedded, other: await OurHost.start(timers, engine) };
  } catch (error) {
    await embedded.close();
    throw error;
  }
}

/** Sets both clocks to the same time, so that also dates in models are at the same distance from the start of a run. */
function alignClocks(...hosts: readonly OurHost[]): void {
  const time = Math.max(...hosts.map(({ server }) => server.clock.time));
  for (const { server } of hosts) server.clock.setTo(time);
}

async function closePair({ embedded, other }: HostPair): Promise<void> {
  await Promise.all([embedded.close(), other.close()]);
}

function toPairedCase<T>(
  id: string,
  results: readonly T[],
  expected: readonly RunHistory[],
  histories: readonly RunHistory[],
): PairedCase<T> {
  return {
    id,
    results,
    runCount: expected.length,
    eventCount: expected.reduce((sum, { events }) => sum + events.length, 0),
    differences: compareHistories(expected, histories),
  };
}

/** A case whose execution or comparison has failed, so that only its own spec fails. */
function toFailedCase(id: string, error: unknown): PairedCase<never> {
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    id,
    results: [],
    runCount: 0,
    eventCount: 0,
    differences: [`The case "${id}" could not be compared: ${reason}`],
  };
}

/** Reads the histories of a case before its host cancels the runs. */
class RecordingSide implements Side {
  histories: readonly RunHistory[] = [];
  private readonly side: OurSide;

  constructor(private readonly host: OurHost) {
    this.side = new OurSide(host);
  }

  deploy(...args: Parameters<Side['deploy']>): ReturnType<Side['deploy']> {
    return this.side.deploy(...args);
  }

  executeStep(...args: Parameters<Side['executeStep']>): Promise<void> {
    return this.side.executeStep(...args);
  }

  observe(): ReturnType<Side['observe']> {
    return this.side.observe();
  }

  async close(): Promise<void> {
    this.histories = await readHistories(this.host.server.storage, await this.side.listRunIds());
    await this.side.close();
  }
}
