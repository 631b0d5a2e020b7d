import type { LoggerPort } from '@countersign/core/plugin';
import type { StoragePort } from '@countersign/core/ports';
import { BackgroundLoop } from '@countersign/engine';
import type { Cluster } from './cluster.js';

/** Interval of looking for broken workflows, in ms. */
const POLL_MS = 10_000;
/** Maximum number of runs that are announced again in one transaction. */
const BATCH_SIZE = 500;
/** Time by which the list of closed workflows may lag behind, and clocks may differ, in ms. */
const MAX_LAG_MS = 120_000;

export interface BrokenWorkflowsParts {
  readonly engine: string;
  readonly cluster: Pick<Cluster, 'address' | 'listBrokenWorkflows'>;
  readonly storage: Pick<StoragePort, 'addAnnouncements'>;
  readonly log: LoggerPort;
  /** Returns the time of this server, in ms since the epoch. */
  now(): number;
}

/**
 * Announces runs again whose workflow did not end by itself, for example because an operator terminated it. The
 * workflow of a run that has not ended then starts again.
 */
export class BrokenWorkflows {
  private readonly loop: BackgroundLoop;
  /** Start of the time that the next check covers, in ms since the epoch. */
  private since: number;
  /** Executions that an earlier check has found. */
  private handledExecutions: ReadonlySet<string> = new Set();

  constructor(private readonly parts: BrokenWorkflowsParts) {
    // `LostWorkflows` finds those that broke while no server was running.
    this.since = parts.now() - MAX_LAG_MS;
    this.loop = new BackgroundLoop('broken workflows', parts.log, POLL_MS, () => this.check());
  }

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  private async check(): Promise<number> {
    const { engine, cluster, storage, log, now } = this.parts;
    const startedAt = now();
    const broken = await cluster.listBrokenWorkflows(this.since);
    const newlyBroken = broken.filter(({ executionId }) => !this.handledExecutions.has(executionId));
    if (newlyBroken.length > 0) {
      const runIds = [...new Set(newlyBroken.map(({ runId }) => runId))];
      for (let start = 0; start < runIds.length; start += BATCH_SIZE)
        await storage.addAnnouncements(engine, runIds.slice(start, start + BATCH_SIZE));
      log.warn(
        { address: cluster.address, runs: runIds.length },
        'workflows in the Temporal cluster were terminated or failed; their runs are announced again',
      );
    }
    this.handledExecutions = new Set(broken.map(({ executionId }) => executionId));
    this.since = startedAt - MAX_LAG_MS;
    return POLL_MS;
  }
}
