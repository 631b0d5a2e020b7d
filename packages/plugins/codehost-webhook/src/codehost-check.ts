import type { ReadinessCheckContribution, ReadinessResult } from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { isConfigured, LiveCodehostConfiguration } from './configuration.js';

/**
 * Whether deliveries of code hosts are verified. Never keeps the server from being ready: runs need no code host. Readiness
 * is answered to anybody, so how good the secret is stands in the log alone.
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
