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
import { type CaseOutcome, compareWithZeebe, executeCase, type OurResult } from '../differential/run-case.js';
import type { Side } from '../differential/side.js';

/** Number of cases that are executed at a time: while one waits for the cluster, another one computes. */
const MAX_CONCURRENCY = 2;

/** A case that was executed with both engines. */
export interface PairedCase<T> {
  readonly id: string;
  /** Its result with the engine that is compared with the embedded one. */
  readonly result: T;
  /** Number of runs whose histories were compared, and of their events. */
  readonly runCount: number;
  readonly eventCount: number;
  /** Differences of the histories; empty if all hashes are equal. */
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
    const [, expected] = await execute({});
    const [result, histories] = await execute({ engine });
    return toPairedCase(each.id, result, expected, histories);
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
  const startPair = async (...[timers]: Parameters<typeof OurHost.start>): Promise<HostPair> => ({
    embedded: await OurHost.start(timers),
    other: await OurHost.start(timers, engine),
  });
  const idlePairs: HostPair[] = [];
  const execute = async (each: DifferentialCase, { embedded, other }: HostPair): Promise<PairedCase<CaseOutcome>> => {
    const expected = new RecordingSide(embedded);
    const recording = new RecordingSide(other);
    await executeCase(each, expected);
    const result: OurResult = await executeCase(each, recording);
    const outcome = compareWithZeebe(each.id, result, findRecordedResponse(each));
    return toPairedCase(each.id, outcome, expected.histories, recording.histories);
  };
  try {
    return await mapConcurrently(cases, MAX_CONCURRENCY, async (each) => {
      if (needsSeparateHost(each)) {
        const pair = await startPair('timers of runs');
        try {
          return await execute(each, pair);
        } finally {
          await closePair(pair);
        }
      }
      const pair = idlePairs.pop() ?? (await startPair());
      try {
        return await execute(each, pair);
      } finally {
        idlePairs.push(pair);
      }
    });
  } finally {
    await Promise.all(idlePairs.map(closePair));
  }
}

async function closePair({ embedded, other }: HostPair): Promise<void> {
  await Promise.all([embedded.close(), other.close()]);
}

function toPairedCase<T>(
  id: string,
  result: T,
  expected: readonly RunHistory[],
  histories: readonly RunHistory[],
): PairedCase<T> {
  return {
    id,
    result,
    runCount: expected.length,
    eventCount: expected.reduce((sum, { events }) => sum + events.length, 0),
    differences: compareHistories(expected, histories),
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
