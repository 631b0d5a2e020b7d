import { type SettingsTestCheck, type SettingsTestContribution, SettingsTestFailure } from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { createHmac } from 'node:crypto';
import type { EventSource } from './configuration.js';
import { EventSources } from './event-sources.js';
import { verifyBodySignature } from './verify-body-signature.js';

const SAMPLE = Buffer.from('{"messageName":"sample"}');

/** Tests for each source whether a delivery signed with its secret would be accepted. Nothing is delivered. */
@injectable()
export class IngressTest implements SettingsTestContribution {
  readonly target = 'event-ingress';

  constructor(@inject(EventSources) private readonly sources: EventSources) {}

  checks(): readonly SettingsTestCheck[] {
    return [
      { name: 'enabled', run: async () => this.#checkEnabled() },
      ...this.sources.all.map((source) => ({
        name: `the source ${source.Id}`,
        run: async () => this.#checkSource(source),
      })),
    ];
  }

  #checkEnabled(): string {
    if (!this.sources.enabled)
      throw new SettingsTestFailure('No events are accepted. Set Integrations:EventIngress:Enabled to true.');
    return 'POST /webhooks/events is open.';
  }

  #checkSource(source: EventSource): string {
    const secrets = this.sources.acceptedSecrets(source);
    if (secrets.length === 0) throw new SettingsTestFailure('The source has no secret, so it is disabled.');
    for (const secret of secrets) {
      const signature = `sha256=${createHmac('sha256', secret).update(SAMPLE).digest('hex')}`;
      if (verifyBodySignature(SAMPLE, signature, secrets, this.sources.maxSecrets) === undefined)
        throw new SettingsTestFailure('A delivery signed with its secret is not accepted.');
    }
    const { AllowedMessageNames } = source;
    const messages =
      AllowedMessageNames === undefined
        ? 'any message'
        : AllowedMessageNames.length === 0
          ? 'no message'
          : AllowedMessageNames.join(', ');
    return `Deliveries signed with ${secrets.length === 1 ? 'its secret' : `any of its ${secrets.length} secrets`} are accepted; the source may deliver ${messages}.`;
  }
}
