import { seconds } from '@countersign/testing';
import type { RestartingServer } from '../../recovery/restarting-server.spec.support.js';
import type { TemporalCluster } from '../temporal-cluster.spec.support.js';

/**
 * Interval of killing one of our servers, in seconds. A node of the cluster dies at every second kill. On a slow machine,
 * servers need more time to start and to do some work before they are killed again.
 */
const KILL_INTERVAL = 5;
/** Time in which every node is killed, in seconds. */
export const ROUND_OF_KILLS = 25;

/**
 * Kills our servers in turn, and half as often the nodes of a cluster. A node starts again when the next server is
 * killed, so at most one node is down.
 */
export class RepeatedKills {
  /** Number of kills of each node. */
  readonly nodeKills: number[];
  private readonly timer: NodeJS.Timeout;
  private count = 0;
  private pendingKill: Promise<void>;
  private isKilling = false;

  /** Begins with the first server and the first node. */
  constructor(
    private readonly cluster: TemporalCluster,
    private readonly servers: readonly RestartingServer[],
  ) {
    this.nodeKills = cluster.nodes.map(() => 0);
    this.pendingKill = this.kill();
    this.timer = setInterval(() => {
      // A restart may take longer than the interval.
      if (this.isKilling) return;
      this.pendingKill = this.pendingKill.then(() => this.kill());
      // `stop` rethrows it.
      this.pendingKill.catch(() => undefined);
    }, seconds(KILL_INTERVAL));
  }

  /** Kills nothing more, and starts the node that is down. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.pendingKill;
    await this.cluster.ensureRunning();
  }

  private async kill(): Promise<void> {
    const { cluster, servers, count } = this;
    this.isKilling = true;
    this.count += 1;
    const server = await servers[count % servers.length]?.runningServer;
    if (server !== undefined) process.kill(server.pid, 'SIGKILL');
    await cluster.ensureRunning();
    if (count % 2 === 0) {
      const index = (count / 2) % cluster.nodes.length;
      await cluster.nodes[index]?.kill();
      this.nodeKills[index] = (this.nodeKills[index] ?? 0) + 1;
    }
    this.isKilling = false;
  }
}
