import { inject, injectable } from 'inversify';
import type { ReadinessCheckContribution, ReadinessResult } from '@countersign/core/plugin';
import { EnginePort } from '@countersign/core/ports';

/** Readiness check that warns about work being retried after failures. The server remains ready. */
@injectable()
export class EngineCheck implements ReadinessCheckContribution {
  readonly name = 'engine';

  constructor(@inject(EnginePort) private readonly engine: Pick<EnginePort, 'status'>) {}

  async check(): Promise<ReadinessResult> {
    const failing = ((await this.engine.status()).failing ?? []).filter(({ count }) => count > 0);
    if (failing.length === 0) return { status: 'ok', detail: 'No work is failing.' };
    const failingWork = failing.map(({ work, count }) => `${work} (${count})`).join(', ');
    return { status: 'warn', detail: `Retrying failed work: ${failingWork}. See the log for the causes.` };
  }
}
