import type { ReadinessCheckContribution, ReadinessResult } from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { isConfigured, LiveCodehostConfiguration } from './configuration.js';

/**
 * Checks whether deliveries of code hosts are verified. It never makes the server unready, because runs need no code
 * host. Anyone may read the readiness status, so only the log reports a weak secret.
 */
@injectable()
export class CodehostCheck implements ReadinessCheckContribution {
  readonly name = 'codehost';

  constructor(@inject(LiveCodehostConfiguration) private readonly configuration: LiveCodehostConfiguration) {}

  async check(): Promise<ReadinessResult> {
    const settings = this.configuration.current.Integrations.CodeHost;
    if (!isConfigured(settings)) return { status: 'ok', detail: 'off' };
    if (!settings.Secret.isSet) {
      return {
        status: 'warn',
        detail: `Deliveries${settings.AllowUnsigned ? '' : ' from this machine'} are not verified: Integrations:CodeHost:Secret is empty.`,
      };
    }
    return { status: 'ok', detail: 'deliveries are verified' };
  }
}
