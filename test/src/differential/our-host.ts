import type { CaseEngine, CountedTimers } from '../conformance/case-engine.js';
import { type CaseServer, startCaseServer } from '../conformance/case-server.js';
import { HELD_JOB_TYPE } from './model-text.js';

/** A server for cases, and the runs of its finished cases. */
export class OurHost {
  private readonly forgottenRunIds = new Set<string>();

  private constructor(readonly server: CaseServer) {}

  /** @param engine the default is the embedded engine */
  static async start(timers: CountedTimers = 'all timers', engine?: CaseEngine): Promise<OurHost> {
    return new OurHost(await startCaseServer({ jobType: HELD_JOB_TYPE, timers, engine }));
  }

  close(): Promise<void> {
    return this.server.close();
  }

  /** Excludes the runs of a finished case from the results of later cases. */
  forget(runIds: readonly string[]): void {
    for (const runId of runIds) this.forgottenRunIds.add(runId);
  }

  isForgotten(runId: string): boolean {
    return this.forgottenRunIds.has(runId);
  }
}
