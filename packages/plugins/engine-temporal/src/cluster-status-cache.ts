import type { ClusterStatus, ClusterTopology, StoragePort } from '@countersign/core/ports';
import type { Cluster } from './cluster.js';
import { describeProblem } from './cluster-errors.js';
import type { TaskQueue } from './read-topology.js';

/** Age from which a status is read again, in ms. */
const MAX_AGE_MS = 2_000;
/** How long a caller waits for a new status, in ms. Then it gets the previous one. */
const MAX_WAIT_MS = 500;

/** Status of the cluster for health requests. It never makes them wait long. */
export class ClusterStatusCache {
  private current: ClusterStatus = { problem: 'The Temporal cluster has not responded yet.', topology: null };
  private readAt = -Infinity;
  private reading: Promise<void> | undefined;

  constructor(
    private readonly engine: string,
    private readonly cluster: Pick<Cluster, 'readTopology' | 'address' | 'namespace'>,
    private readonly storage: Pick<StoragePort, 'countAnnouncements'>,
    private readonly taskQueues: readonly TaskQueue[],
    /** Returns why the workers of this server do not run; `undefined` if they do. */
    private readonly getWorkerFailure: () => unknown,
  ) {}

  async get(): Promise<ClusterStatus> {
    if (performance.now() - this.readAt > MAX_AGE_MS) {
      this.reading ??= this.read().finally(() => (this.reading = undefined));
      await Promise.race([this.reading, pause(MAX_WAIT_MS)]);
    }
    return this.current;
  }

  private async read(): Promise<void> {
    let topology: ClusterTopology | null = this.current.topology;
    let failure: unknown;
    try {
      const [described, announcements] = await Promise.all([
        this.cluster.readTopology(this.taskQueues),
        this.storage.countAnnouncements(this.engine),
      ]);
      topology = { ...described, announcements };
      failure = this.getWorkerFailure();
    } catch (error) {
      failure = error;
    }
    const problem = failure === undefined ? null : describeProblem(failure, this.cluster);
    this.current = { problem, topology };
    this.readAt = performance.now();
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
}
