import type { LoggerPort } from '@countersign/core/plugin';
import type { StoragePort } from '@countersign/core/ports';
import { BackgroundLoop } from '@countersign/engine';
import type { Cluster } from './cluster.js';

/** Pause between two pages, in ms, so that the checks do not load the cluster. */
const PAGE_PAUSE_MS = 10_000;
/** The same while the cluster may have lost its data, in ms. */
const URGENT_PAGE_PAUSE_MS = 100;
/** Pause after the cluster or the storage did not respond, in ms. */
const FAILURE_PAUSE_MS = 1_000;
const PAGE_SIZE = 100;
/** Age from which a workflow must be in the list of the cluster, in ms. */
const MIN_AGE_MS = 5_000;

export interface LostWorkflowsParts {
  readonly engine: string;
  readonly cluster: Pick<Cluster, 'address' | 'findRunningWorkflows' | 'readNamespaceId'>;
  readonly storage: Pick<StoragePort, 'listRunsWithOpenWork' | 'addAnnouncements'>;
  readonly log: LoggerPort;
}

/**
 * Announces runs again whose work should be in progress, but whose workflow is not running, for example because the
 * cluster was replaced (ADR 146). After a start of the server, after an outage, and when the namespace
 * is another one, it checks all runs quickly, and otherwise slowly.
 */
export class LostWorkflows {
  private readonly loop: BackgroundLoop;
  /** Last run that was checked; `null` before the first one. */
  private position: string | null = null;
  private isUrgent = true;
  private namespaceId: string | undefined;

  constructor(private readonly parts: LostWorkflowsParts) {
    this.loop = new BackgroundLoop(
      'lost workflows',
      parts.log,
      PAGE_PAUSE_MS,
      () => this.checkPage(),
      FAILURE_PAUSE_MS,
    );
  }

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  private async checkPage(): Promise<number> {
    const { engine, cluster, storage, log } = this.parts;
    try {
      const namespaceId = await cluster.readNamespaceId();
      if (namespaceId !== this.namespaceId) this.startAgain();
      this.namespaceId = namespaceId;
      const page = { after: this.position, limit: PAGE_SIZE };
      const runIds = await storage.listRunsWithOpenWork({ engine, minAgeMs: MIN_AGE_MS, ...page });
      const running = runIds.length === 0 ? new Set() : await cluster.findRunningWorkflows(runIds);
      const lostRunIds = runIds.filter((runId) => !running.has(runId));
      if (lostRunIds.length > 0) {
        await storage.addAnnouncements(engine, lostRunIds);
        log.warn(
          { address: cluster.address, runs: lostRunIds.length },
          'the Temporal cluster has lost the workflows of runs; the runs are announced again',
        );
      }
      this.position = runIds.length < PAGE_SIZE ? null : (runIds.at(-1) ?? null);
    } catch (error) {
      // The cluster may return without its data.
      this.startAgain();
      throw error;
    }
    if (this.position === null) this.isUrgent = false;
    return this.isUrgent ? URGENT_PAGE_PAUSE_MS : PAGE_PAUSE_MS;
  }

  private startAgain(): void {
    this.isUrgent = true;
    this.position = null;
  }
}
