import { type LifecycleContribution, LoggerPort } from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { LiveCodehostConfiguration } from './configuration.js';
import { findSecretAdvice } from './secret-advice.js';

/**
 * Logs a warning, at startup and after each change of the configuration, if deliveries are not verified or the secret
 * is unsuitable.
 */
@injectable()
export class SecretWarning implements LifecycleContribution {
  readonly name = 'codehost';
  #unsubscribe = (): void => {};

  constructor(
    @inject(LiveCodehostConfiguration) private readonly configuration: LiveCodehostConfiguration,
    @inject(LoggerPort) private readonly log: LoggerPort,
  ) {}

  async start(): Promise<void> {
    this.#warn();
    this.#unsubscribe = this.configuration.onChange(() => this.#warn());
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
  }

  #warn(): void {
    const advice = findSecretAdvice(this.configuration.current.Integrations.CodeHost);
    if (advice !== undefined) this.log.warn({}, advice);
  }
}
