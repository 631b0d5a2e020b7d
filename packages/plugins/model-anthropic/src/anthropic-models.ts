import { APIConnectionError, APIError, type Anthropic } from '@anthropic-ai/sdk';
import {
  retryModelRequest,
  ClockPort,
  configuredPrice,
  type Live,
  type ModelAnswer,
  type ModelCall,
  ModelError,
  modelFailure,
  type ModelPrice,
  type ModelProviderContribution,
  type ModelRequest,
  refuseKeyInClear,
  tellDiscarded,
  unlessAborted,
} from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { anthropicClient } from './anthropic-client.js';
import { AnswerCollector } from './collect-answer.js';
import { LiveAnthropicConfiguration, type AnthropicConfiguration, type AnthropicSettings } from './configuration.js';
import { wireRequest } from './wire-request.js';

/** Price factor of a token that is written to the prompt cache for five minutes. */
const CACHE_WRITE = 1.25;

/** Language models behind the Messages API of Anthropic. */
@injectable()
export class AnthropicModels implements ModelProviderContribution {
  readonly id = 'anthropic';

  constructor(
    @inject(LiveAnthropicConfiguration) private readonly configuration: Live<AnthropicConfiguration>,
    @inject(ClockPort) private readonly clock: ClockPort,
  ) {}

  async ask(request: ModelRequest, { signal, idempotencyKey, discarded }: ModelCall): Promise<ModelAnswer> {
    const settings = this.settings();
    // Since version 2026-10-21 the API refuses a temperature of any value. Fail instead of dropping it silently.
    if (request.temperature !== null)
      throw new ModelError(
        'model_request_refused',
        'The Anthropic API does not accept a temperature: remove it from the agent definition.',
        false,
      );
    return retryModelRequest(
      async (answered) => {
        const collector = new AnswerCollector(request);
        return tellDiscarded(collector, discarded, async () => {
          await this.use(settings, signal, async (client) => {
            const stream = await client.messages.create(wireRequest(request, settings), {
              signal,
              headers: { 'Idempotency-Key': idempotencyKey },
            });
            answered();
            for await (const event of stream) collector.add(event);
          });
          return collector.answer();
        });
      },
      { maxRetries: settings.MaxRetries, signal },
    );
  }

  async check(signal: AbortSignal): Promise<string> {
    const settings = this.settings();
    const { data } = await this.use(settings, signal, (client) => client.models.list({}, { signal }));
    return `${new URL(settings.BaseUrl).host} responds and offers ${Array.isArray(data) && data.length > 0 ? 'models' : 'no model'} for this key.`;
  }

  hosts(): readonly string[] {
    return [new URL(this.configuration.current.Models.Anthropic.BaseUrl).origin];
  }

  price(model: string): ModelPrice | undefined {
    const price = configuredPrice(this.configuration.current.Models.Anthropic.Prices, model);
    return price === undefined ? undefined : { cacheWrite: price.input * CACHE_WRITE, ...price };
  }

  private settings(): AnthropicSettings {
    const settings = this.configuration.current.Models.Anthropic;
    if (!settings.ApiKey.isSet)
      throw new ModelError(
        'model_unauthorized',
        'The model provider "anthropic" has no key: set Models:Anthropic:ApiKey.',
        false,
      );
    refuseKeyInClear(this.id, new URL(settings.BaseUrl));
    return settings;
  }

  /**
   * Runs work with a client.
   *
   * @throws {ModelError} or the signal's abort reason
   */
  private use<T>(
    settings: AnthropicSettings,
    signal: AbortSignal,
    work: (client: Anthropic) => Promise<T>,
  ): Promise<T> {
    return unlessAborted(
      signal,
      async () => work(anthropicClient(settings)),
      (error) => this.explained(error, settings),
    );
  }

  private explained(error: unknown, { BaseUrl, ApiKey }: AnthropicSettings): ModelError {
    const { host } = new URL(BaseUrl);
    return modelFailure(
      error,
      { provider: this.id, host, secrets: [ApiKey.reveal()], now: this.clock.now() },
      (one) => one instanceof APIError && !(one instanceof APIConnectionError),
    );
  }
}
