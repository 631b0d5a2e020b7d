import type { LoggerPort } from '@countersign/core/plugin';
import { BackgroundLoop } from '@countersign/engine';
import type { Announcer } from './announcer.js';
import type { Cluster } from './cluster.js';

/** Interval of looking for broken workflows, in ms. */
const POLL_MS = 10_000;
/** Time by which the list of closed workflows may lag behind, and clocks may differ, in ms. */
const MAX_LAG_MS = 120_000;
/** Maximum number of runs that are announced again at a time. */
const BATCH_SIZE = 100;

/**
 * Announces runs again whose workflow did not end by itself, for example because an operator terminated it. The
 * workflow of a run that has not ended then starts again.
 */
export class BrokenWorkflows {
  private readonly loop: BackgroundLoop;
  /** Start of the time that the next check covers, in ms since the epoch. */
  private since = 0;
  /** Executions that an earlier check has found. */
  private handledExecutions: ReadonlySet<string> = new Set();

  constructor(
    private readonly cluster: Pick<Cluster, 'listBrokenWorkflows'>,
    private readonly announcer: Pick<Announcer, 'announceAgain'>,
    log: LoggerPort,
    private readonly now: () => number,
  ) {
    this.loop = new BackgroundLoop('broken workflows', log, POLL_MS, () => this.check());
  }

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  private async check(): Promise<number> {
    const startedAt = this.now();
    const broken = await this.cluster.listBrokenWorkflows(this.since);
    const runIds = broken.flatMap(({ runId, executionId }) => (this.handledExecutions.has(executionId) ? [] : [runId]));
    const uniqueRunIds = [...new Set(runIds)];
    for (let start = 0; start < uniqueRunIds.length; start += BATCH_SIZE) {
      const unaccepted = await this.announcer.announceAgain(uniqueRunIds.slice(start, start + BATCH_SIZE));
      // The next check finds the same workflows again.
      if (unaccepted.length > 0) return POLL_MS;
    }
    this.handledExecutions = new Set(broken.map(({ executionId }) => executionId));
    this.since = startedAt - MAX_LAG_MS;
    return POLL_MS;
  }
}
