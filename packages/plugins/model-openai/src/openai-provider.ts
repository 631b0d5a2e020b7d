import {
  retryModelRequest,
  type ClockPort,
  configuredPrice,
  errorWithin,
  type Json,
  type LoggerPort,
  type ModelAnswer,
  type ModelCall,
  ModelError,
  ModelErrorBody,
  modelFailure,
  type ModelPrice,
  type ModelProviderContribution,
  type ModelRequest,
  readError,
  refuseKeyInClear,
  tellDiscarded,
  unlessAborted,
} from '@countersign/core/plugin';
import { readNetworkHost } from '@countersign/model';
import { APIConnectionError, APIError, type OpenAI } from 'openai';
import { AnswerCollector } from './collect-answer.js';
import type { OpenAiSettings } from './configuration.js';
import { listingUrl, openAiClient } from './openai-client.js';
import { OutputModes } from './output-modes.js';
import { reducedCompanions } from './reduced-companions.js';
import { RefusedMembers } from './refused-members.js';
import { wireRequest } from './wire-request.js';

const NEEDS_KEY = 'api.openai.com';

/** Language models behind one server of the Chat Completions API. */
export abstract class OpenAiProvider implements ModelProviderContribution {
  private readonly uncounted = new Set<string>();
  private readonly outputs = new OutputModes();
  private readonly refused = new RefusedMembers();

  protected constructor(
    readonly id: string,
    private readonly clock: ClockPort,
    private readonly logger: LoggerPort,
  ) {}

  /**
   * Returns the current settings.
   *
   * @throws {ModelError} if the provider is no longer configured
   */
  protected abstract settings(): OpenAiSettings;

  async ask(request: ModelRequest, call: ModelCall): Promise<ModelAnswer> {
    const settings = this.checkedSettings();
    return retryModelRequest(
      async (answered) => {
        const answer = await this.askAdapted(request, settings, call, answered);
        if (answer.usage.estimated === true) this.tellUncounted(request.model);
        return answer;
      },
      { maxRetries: settings.MaxRetries, signal: call.signal },
    );
  }

  /** Repeats the request without the parts that the API refuses. Each repetition leaves out more, so this ends. */
  private async askAdapted(
    request: ModelRequest,
    settings: OpenAiSettings,
    call: ModelCall,
    answered: () => void,
  ): Promise<ModelAnswer> {
    for (let { idempotencyKey } = call; ;) {
      const mode = this.outputs.of(request, settings);
      const refused = this.refused.of(request);
      try {
        const wire = wireRequest(request, settings, { provider: this.id, mode, refused });
        return await this.askOnce(request, wire, settings, { ...call, idempotencyKey }, answered);
      } catch (error) {
        // This is a different request. With the same key, a server would repeat its response to the first one.
        if (this.outputs.hasChangedBy(error, request, settings, mode)) idempotencyKey += '-prompt';
        else if (this.refused.hasChangedBy(error, request, this.id, refused)) idempotencyKey += '-less';
        else throw error;
      }
    }
  }

  /**
   * Sends one request.
   *
   * @param answered called when a response starts, after which the request is not repeated here
   */
  private async askOnce(
    request: ModelRequest,
    wire: ReturnType<typeof wireRequest>,
    settings: OpenAiSettings,
    { signal, idempotencyKey, discarded }: ModelCall,
    answered: () => void,
  ): Promise<ModelAnswer> {
    const collector = new AnswerCollector(request, this.id, idempotencyKey);
    return tellDiscarded(collector, discarded, async () => {
      await this.use(settings, signal, async (client) => {
        // The library does not support idempotency for this API; servers and gateways that do use this header.
        const headers = { 'Idempotency-Key': idempotencyKey };
        const stream = await client.chat.completions.create(wire, { signal, headers });
        answered();
        for await (const chunk of stream) {
          collector.count(chunk);
          // Errors in formats that the library does not recognize.
          const said = errorOfChunk(chunk);
          if (said !== undefined) throw new ModelErrorBody(undefined, new Headers(), said);
          collector.add(chunk);
        }
      });
      return collector.answer();
    });
  }

  async check(signal: AbortSignal): Promise<string> {
    const settings = this.checkedSettings();
    const listing = { ...settings, BaseUrl: listingUrl(settings.BaseUrl) };
    const { data } = await this.use(listing, signal, (client) => client.models.list({ signal }));
    return `${new URL(settings.BaseUrl).host} responds and offers ${Array.isArray(data) ? data.length : 0} language models.`;
  }

  hosts(): readonly string[] {
    return [new URL(this.settings().BaseUrl).origin];
  }

  reduced(opaque: Json): Json {
    return reducedCompanions(opaque, this.id);
  }

  price(model: string): ModelPrice | undefined {
    return configuredPrice(this.settings().Prices, model);
  }

  private checkedSettings(): OpenAiSettings {
    const settings = this.settings();
    const url = new URL(settings.BaseUrl);
    if (!settings.ApiKey.isSet && readNetworkHost(url.host)?.name === NEEDS_KEY)
      throw new ModelError(
        'model_unauthorized',
        `The model provider "${this.id}" has no key: set Models:OpenAI:ApiKey.`,
        false,
      );
    if (settings.ApiKey.isSet) refuseKeyInClear(this.id, url);
    return settings;
  }

  /**
   * Runs work with a client.
   *
   * @throws {ModelError} or the signal's abort reason
   */
  private use<T>(settings: OpenAiSettings, signal: AbortSignal, work: (client: OpenAI) => Promise<T>): Promise<T> {
    return unlessAborted(
      signal,
      async () => work(openAiClient(settings)),
      (error) => this.explained(error, settings),
    );
  }

  private explained(error: unknown, { BaseUrl, ApiKey }: OpenAiSettings): ModelError {
    const { host } = new URL(BaseUrl);
    const secrets = ApiKey.isSet ? [ApiKey.reveal()] : [];
    return modelFailure(
      error,
      { provider: this.id, host, secrets, now: this.clock.now() },
      (one) => one instanceof APIError && !(one instanceof APIConnectionError),
    );
  }

  private tellUncounted(model: string): void {
    if (this.uncounted.has(model)) return;
    this.uncounted.add(model);
    this.logger.warn(
      { provider: this.id, model },
      'estimating tokens and budgets, because the model provider does not report the token usage of responses',
    );
  }
}

/** Returns the error in a part of a stream or in its choice, as sent by OpenRouter and vLLM. */
function errorOfChunk(chunk: unknown): ReturnType<typeof errorWithin> {
  const { choices } = (chunk ?? {}) as { readonly choices?: readonly ({ readonly error?: unknown } | null)[] };
  const failed = Array.isArray(choices) ? choices.find((choice) => choice?.error) : undefined;
  return failed === undefined ? errorWithin(chunk) : readError(failed.error);
}
