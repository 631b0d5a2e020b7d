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
    const { usable, disabled, short } = this.sources.describe();
    if (usable === 0)
      return { status: 'warn', detail: 'On, but no source has a secret, so no events can be delivered.' };
    if (short.length > 0)
      return {
        status: 'warn',
        detail: `Secrets of event sources are too short (${short.length}); the log names the sources.`,
      };
    return {
      status: 'ok',
      detail: `${usable} source${usable === 1 ? '' : 's'}${disabled === 0 ? '' : `, and ${disabled} disabled`}.`,
    };
  }
}
