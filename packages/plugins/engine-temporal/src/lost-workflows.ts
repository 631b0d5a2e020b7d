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
/** Interval of reading the id of the namespace, in ms. */
const NAMESPACE_PAUSE_MS = 1_000;
const PAGE_SIZE = 100;
/** How long a run must not have changed, in ms. A younger announcement may be on its way to the cluster. */
const MIN_AGE_MS = 5_000;

export interface LostWorkflowsParts {
  readonly engine: string;
  readonly cluster: Pick<Cluster, 'address' | 'findLostWorkflows' | 'readNamespaceId'>;
  readonly storage: Pick<StoragePort, 'listRunsWithOpenWork' | 'addAnnouncements'>;
  readonly log: LoggerPort;
}

/**
 * Announces runs again whose work should be in progress, but whose workflow is not running, for example because the
 * cluster was replaced (ADR 146). After a start of the server, after an outage, and when the namespace is another one,
 * it checks all runs quickly, and otherwise slowly.
 */
export class LostWorkflows {
  private readonly loop: BackgroundLoop;
  /** Last run that was checked; `null` before the first one. */
  private position: string | null = null;
  /** Number of passes over all runs, including this one, that are urgent. */
  private urgentPasses = 1;
  private namespaceId: string | undefined;
  private namespaceReadAt = -Infinity;

  constructor(private readonly parts: LostWorkflowsParts) {
    const { log } = parts;
    this.loop = new BackgroundLoop('lost workflows', log, PAGE_PAUSE_MS, () => this.checkPage(), FAILURE_PAUSE_MS);
  }

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** Checks a page of runs, and returns how long to pause, in ms. */
  async checkPage(): Promise<number> {
    const { engine, cluster, storage, log } = this.parts;
    try {
      await this.checkNamespace();
      const page = { after: this.position, limit: PAGE_SIZE };
      const { runIds, last } = await storage.listRunsWithOpenWork({ engine, minAgeMs: MIN_AGE_MS, ...page });
      const lostRunIds = runIds.length === 0 ? [] : await cluster.findLostWorkflows(runIds);
      if (lostRunIds.length > 0) {
        await storage.addAnnouncements(engine, lostRunIds);
        log.warn(
          { address: cluster.address, runs: lostRunIds.length },
          'the Temporal cluster has lost the workflows of runs; the runs are announced again',
        );
      }
      this.position = last;
    } catch (error) {
      // The cluster may return without its data. The rest of this pass is urgent, and so is one more.
      this.urgentPasses = 2;
      throw error;
    }
    if (this.position === null && this.urgentPasses > 0) this.urgentPasses -= 1;
    return this.urgentPasses > 0 ? URGENT_PAGE_PAUSE_MS : PAGE_PAUSE_MS;
  }

  private async checkNamespace(): Promise<void> {
    if (performance.now() - this.namespaceReadAt < NAMESPACE_PAUSE_MS) return;
    const namespaceId = await this.parts.cluster.readNamespaceId();
    this.namespaceReadAt = performance.now();
    if (namespaceId === this.namespaceId) return;
    this.namespaceId = namespaceId;
    this.position = null;
    this.urgentPasses = 1;
  }
}
