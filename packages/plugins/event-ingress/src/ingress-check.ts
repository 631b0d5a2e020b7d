import type { ReadinessCheckContribution, ReadinessResult } from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { EventSources } from './event-sources.js';

/**
 * Checks whether events can arrive. An invalid configuration of the sources does not make the whole server unready.
 * Anyone may read the readiness status, so only the log names the sources with short secrets.
 */
@injectable()
export class IngressCheck implements ReadinessCheckContribution {
  readonly name = 'event-ingress';

  constructor(@inject(EventSources) private readonly sources: EventSources) {}

  async check(): Promise<ReadinessResult> {
    if (!this.sources.enabled) return { status: 'ok', detail: 'Off.' };
    const { usableCount, disabledCount, idsWithShortSecrets } = this.sources.describe();
    if (usableCount === 0)
      return { status: 'warn', detail: 'On, but no source has a secret, so no events can be delivered.' };
    if (idsWithShortSecrets.length > 0)
      return {
        status: 'warn',
        detail: `Some event sources have secrets that are too short (number of sources: ${idsWithShortSecrets.length}). The log names them.`,
      };
    return {
      status: 'ok',
      detail: `${usableCount} source${usableCount === 1 ? '' : 's'}${disabledCount === 0 ? '' : `, and ${disabledCount} disabled`}.`,
    };
  }
}
