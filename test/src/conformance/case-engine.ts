import type { Host } from '@countersign/core';
import { EnginePort, StoragePort } from '@countersign/core/ports';
import type { TestHostOptions } from '@countersign/testing';
import type { HeldJobs } from './held-jobs.js';
import type { TestClock } from './test-clock.js';

/** Timers that can advance the clock; `timers of runs` excludes timers that start runs, which may repeat endlessly. */
export type CountedTimers = 'all timers' | 'timers of runs';

/** Engine that executes cases. */
export interface CaseEngine {
  /** Returns the engine for one more host. */
  prepareHost(): PreparedEngine;
}

/** Engine of one host. */
export interface PreparedEngine {
  readonly options: Pick<TestHostOptions, 'engine'>;
  /** Must be called before the calls of the storage are watched, so that the calls of the probe do not count. */
  createProbe(parts: ProbeParts): WorkProbe;
}

export interface ProbeParts {
  readonly host: Host;
  readonly clock: TestClock;
  readonly jobs: HeldJobs;
  readonly timers: CountedTimers;
}

/** Shows what the engine of a host still has to do. It is asked while no storage call is in progress. */
export interface WorkProbe {
  /** Returns whether anything continues without the test, apart from due timers. */
  isWorking(): Promise<boolean>;
  /** Returns when the next timer is due; `null` if there is none. */
  nextTimerAt(): Promise<number | null>;
  /** Notifies the engine that timers are due by the test clock, unless it reads this clock itself. */
  announceDueTimers(): Promise<void>;
}

/** The embedded engine. It reads the test clock itself, at least once per second. */
export const EMBEDDED_CASE_ENGINE: CaseEngine = Object.freeze({
  prepareHost: () => ({ options: {}, createProbe: createEmbeddedProbe }),
});

function createEmbeddedProbe({ host, jobs, timers }: ProbeParts): WorkProbe {
  const engine = host.get<EnginePort>(EnginePort);
  const storage = host.get<StoragePort>(StoragePort);
  const nextTimerAt = storage.nextTimerAt.bind(storage);
  const nextStartTimerAt = storage.nextStartTimerAt.bind(storage);
  return {
    isWorking: async () => (await engine.status()).workers.reduce((sum, { active }) => sum + active, 0) > jobs.count,
    nextTimerAt:
      timers === 'all timers'
        ? async () => minTime(await nextTimerAt(), await nextStartTimerAt())
        : () => nextTimerAt(),
    announceDueTimers: async () => undefined,
  };
}

/** Returns the earlier of two times, of which either may be missing. */
export function minTime(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}
