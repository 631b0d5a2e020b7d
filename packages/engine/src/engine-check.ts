import { inject, injectable } from 'inversify';
import type { ReadinessCheckContribution, ReadinessResult } from '@countersign/core/plugin';
import { EnginePort } from '@countersign/core/ports';

/**
 * Readiness check that warns about an unusable cluster and about work that is retried after failures. The server remains
 * ready, because votes and reads need no cluster: otherwise, a load balancer would stop them on all servers.
 */
@injectable()
export class EngineCheck implements ReadinessCheckContribution {
  readonly name = 'engine';

  constructor(@inject(EnginePort) private readonly engine: Pick<EnginePort, 'status'>) {}

  async check(): Promise<ReadinessResult> {
    const { failing: allWork = [], cluster } = await this.engine.status();
    if (cluster !== undefined && cluster.problem !== null)
      return {
        status: 'warn',
        detail: `${cluster.problem} Votes and reads work; jobs and timers continue when the cluster can be used.`,
      };
    const failing = allWork.filter(({ count }) => count > 0);
    if (failing.length === 0) return { status: 'ok', detail: 'No work is failing.' };
    const failingWork = failing.map(({ work, count }) => `${work} (${count})`).join(', ');
    return { status: 'warn', detail: `Retrying failed work: ${failingWork}. See the log for the causes.` };
  }
}
