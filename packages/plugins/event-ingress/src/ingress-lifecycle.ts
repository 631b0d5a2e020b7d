import { type LifecycleContribution, LoggerPort, ReceiveInboundEvent } from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { EventSources, buildShortSecretsWarning } from './event-sources.js';

/** Warns of short secrets at startup and on changes, and records pending refusals at shutdown. */
@injectable()
export class IngressLifecycle implements LifecycleContribution {
  readonly name = 'event-ingress';
  #unsubscribe: (() => void) | undefined;
  #lastWarning = '';

  constructor(
    @inject(EventSources) private readonly sources: EventSources,
    @inject(ReceiveInboundEvent) private readonly events: ReceiveInboundEvent,
    @inject(LoggerPort) private readonly log: LoggerPort,
  ) {}

  async start(): Promise<void> {
    this.#unsubscribe = this.sources.onChange(() => this.#warn());
    this.#warn();
  }

  async stop(): Promise<void> {
    this.#unsubscribe?.();
    await this.events.flush();
  }

  #warn(): void {
    const { idsWithShortSecrets } = this.sources.describe();
    const warning =
      this.sources.enabled && idsWithShortSecrets.length > 0 ? buildShortSecretsWarning(idsWithShortSecrets) : '';
    if (warning !== '' && warning !== this.#lastWarning) this.log.warn({ sources: idsWithShortSecrets }, warning);
    this.#lastWarning = warning;
  }
}
