import { APIConnectionError, APIError, type Anthropic } from '@anthropic-ai/sdk';
import {
  retryModelRequest,
  ClockPort,
  findConfiguredPrice,
  type Live,
  type ModelCompletion,
  type ModelCall,
  ModelError,
  toModelError,
  type ModelPrice,
  type ModelProviderContribution,
  type ModelRequest,
  assertApiKeyEncryptedInTransit,
  reportIfDiscarded,
  withModelErrors,
} from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { createAnthropicClient } from './anthropic-client.js';
import { ResponseCollector } from './response-collector.js';
import { LiveAnthropicConfiguration, type AnthropicConfiguration, type AnthropicSettings } from './configuration.js';
import { toWireRequest } from './wire-request.js';

/** Price factor of a token that is written to the prompt cache for five minutes. */
const CACHE_WRITE_FACTOR = 1.25;

/** Language models of the Messages API of Anthropic. */
@injectable()
export class AnthropicModels implements ModelProviderContribution {
  readonly id = 'anthropic';

  constructor(
    @inject(LiveAnthropicConfiguration) private readonly configuration: Live<AnthropicConfiguration>,
    @inject(ClockPort) private readonly clock: ClockPort,
  ) {}

  async complete(request: ModelRequest, { signal, idempotencyKey, onDiscarded }: ModelCall): Promise<ModelCompletion> {
    const settings = this.requireSettings();
    // Since version 2026-10-21, the API refuses every temperature. Fail instead of dropping it silently.
    if (request.temperature !== null)
      throw new ModelError(
        'model_request_refused',
        'The Anthropic API does not accept a temperature: remove it from the agent definition.',
        false,
      );
    return retryModelRequest(
      async (onResponse) => {
        const collector = new ResponseCollector(request);
        return reportIfDiscarded(collector, onDiscarded, async () => {
          await this.withClient(settings, signal, async (client) => {
            const stream = await client.messages.create(toWireRequest(request, settings), {
              signal,
              headers: { 'Idempotency-Key': idempotencyKey },
            });
            onResponse();
            for await (const event of stream) collector.add(event);
          });
          return collector.toResponse();
        });
      },
      { maxRetries: settings.MaxRetries, signal },
    );
  }

  async check(signal: AbortSignal): Promise<string> {
    const settings = this.requireSettings();
    const { data } = await this.withClient(settings, signal, (client) => client.models.list({}, { signal }));
    return `${new URL(settings.BaseUrl).host} responds and offers ${Array.isArray(data) && data.length > 0 ? 'language models' : 'no language models'} for this key.`;
  }

  hosts(): readonly string[] {
    return [new URL(this.configuration.current.Models.Anthropic.BaseUrl).origin];
  }

  price(model: string): ModelPrice | undefined {
    const price = findConfiguredPrice(this.configuration.current.Models.Anthropic.Prices, model);
    return price === undefined ? undefined : { cacheWrite: price.input * CACHE_WRITE_FACTOR, ...price };
  }

  private requireSettings(): AnthropicSettings {
    const settings = this.configuration.current.Models.Anthropic;
    if (!settings.ApiKey.isSet)
      throw new ModelError(
        'model_unauthorized',
        'The model provider "anthropic" has no key: set Models:Anthropic:ApiKey.',
        false,
      );
    assertApiKeyEncryptedInTransit(this.id, new URL(settings.BaseUrl));
    return settings;
  }

  /**
   * Runs work with a client.
   *
   * @throws {ModelError} if the work fails; the signal's abort reason if the signal was aborted
   */
  private withClient<T>(
    settings: AnthropicSettings,
    signal: AbortSignal,
    work: (client: Anthropic) => Promise<T>,
  ): Promise<T> {
    return withModelErrors(
      signal,
      async () => work(createAnthropicClient(settings)),
      (error) => this.toModelError(error, settings),
    );
  }

  private toModelError(error: unknown, { BaseUrl, ApiKey }: AnthropicSettings): ModelError {
    const { host } = new URL(BaseUrl);
    return toModelError(
      error,
      { provider: this.id, host, secrets: [ApiKey.reveal()], now: this.clock.now() },
      (candidate) => candidate instanceof APIError && !(candidate instanceof APIConnectionError),
    );
  }
}
