import {
  retryModelRequest,
  type ClockPort,
  findConfiguredPrice,
  findError,
  type Json,
  type LoggerPort,
  type ModelCompletion,
  type ModelCall,
  ModelError,
  ModelResponseError,
  toModelError,
  type ModelPrice,
  type ModelProviderContribution,
  type ModelRequest,
  parseErrorBody,
  assertApiKeyEncryptedInTransit,
  reportIfDiscarded,
  withModelErrors,
} from '@countersign/core/plugin';
import { readNetworkHost } from '@countersign/model';
import { APIConnectionError, APIError, type OpenAI } from 'openai';
import { ResponseCollector } from './response-collector.js';
import type { OpenAiSettings } from './configuration.js';
import { getListingBaseUrl, createOpenAiClient } from './openai-client.js';
import { OutputModes } from './output-modes.js';
import { reduceCompanions } from './reduce-companions.js';
import { RefusedMembers } from './refused-members.js';
import { toWireRequest } from './wire-request.js';

const KEY_REQUIRED_HOST = 'api.openai.com';

/** Language models of one server with the Chat Completions API. */
export abstract class OpenAiProvider implements ModelProviderContribution {
  private readonly modelsWithoutUsage = new Set<string>();
  private readonly outputModes = new OutputModes();
  private readonly refusedMembers = new RefusedMembers();

  protected constructor(
    readonly id: string,
    /** Where operators set the key, to complete "set …". */
    private readonly keySetting: string,
    private readonly clock: ClockPort,
    private readonly logger: LoggerPort,
  ) {}

  /**
   * Returns the current settings.
   *
   * @throws {ModelError} if the provider is no longer configured
   */
  protected abstract settings(): OpenAiSettings;

  async complete(request: ModelRequest, call: ModelCall): Promise<ModelCompletion> {
    const settings = this.requireSettings();
    return retryModelRequest(
      async (onResponse) => {
        const response = await this.requestWithFallbacks(request, settings, call, onResponse);
        if (response.usage.estimated === true) this.warnOfMissingUsage(request.model);
        return response;
      },
      { maxRetries: settings.MaxRetries, signal: call.signal },
    );
  }

  /**
   * Sends the request, and repeats it without the parts that the API refuses. Each repetition leaves out more, so this
   * ends.
   */
  private async requestWithFallbacks(
    request: ModelRequest,
    settings: OpenAiSettings,
    call: ModelCall,
    onResponse: () => void,
  ): Promise<ModelCompletion> {
    for (let { idempotencyKey } = call; ;) {
      const mode = this.outputModes.selectMode(request, settings);
      const refused = this.refusedMembers.getRefusedMembers(request);
      try {
        const wire = toWireRequest(request, settings, { provider: this.id, mode, refused });
        return await this.sendRequest(request, wire, settings, { ...call, idempotencyKey }, onResponse);
      } catch (error) {
        // The reduced request needs another key. With the same key, a server would repeat its response to the first
        // request.
        if (this.outputModes.recordRefusal(error, request, settings, mode)) idempotencyKey += '-prompt';
        else if (this.refusedMembers.recordRefusal(error, request, this.id, refused)) idempotencyKey += '-less';
        else throw error;
      }
    }
  }

  /**
   * Sends one request.
   *
   * @param onResponse called when a response starts, after which the request is not repeated here
   */
  private async sendRequest(
    request: ModelRequest,
    wire: ReturnType<typeof toWireRequest>,
    settings: OpenAiSettings,
    { signal, idempotencyKey, onDiscarded }: ModelCall,
    onResponse: () => void,
  ): Promise<ModelCompletion> {
    const collector = new ResponseCollector(request, this.id, idempotencyKey);
    return reportIfDiscarded(collector, onDiscarded, async () => {
      await this.withClient(settings, signal, async (client) => {
        // The library does not support idempotency for this API; servers and gateways that do use this header.
        const headers = { 'Idempotency-Key': idempotencyKey };
        const stream = await client.chat.completions.create(wire, { signal, headers });
        onResponse();
        for await (const chunk of stream) {
          collector.mergeUsage(chunk);
          // The server may send errors in formats that the library does not recognize.
          const chunkError = findChunkError(chunk);
          if (chunkError !== undefined) throw new ModelResponseError(undefined, new Headers(), chunkError);
          collector.add(chunk);
        }
      });
      return collector.toResponse();
    });
  }

  async check(signal: AbortSignal): Promise<string> {
    const settings = this.requireSettings();
    const listingSettings = { ...settings, BaseUrl: getListingBaseUrl(settings.BaseUrl) };
    const { data } = await this.withClient(listingSettings, signal, (client) => client.models.list({ signal }));
    return `${new URL(settings.BaseUrl).host} responds. Language models offered: ${Array.isArray(data) ? data.length : 0}.`;
  }

  hosts(): readonly string[] {
    return [new URL(this.settings().BaseUrl).origin];
  }

  reduceOpaque(opaque: Json): Json {
    return reduceCompanions(opaque, this.id);
  }

  price(model: string): ModelPrice | undefined {
    return findConfiguredPrice(this.settings().Prices, model);
  }

  private requireSettings(): OpenAiSettings {
    const settings = this.settings();
    const url = new URL(settings.BaseUrl);
    if (!settings.ApiKey.isSet && readNetworkHost(url.host)?.name === KEY_REQUIRED_HOST)
      throw new ModelError(
        'model_unauthorized',
        `The model provider "${this.id}" has no key: set ${this.keySetting}.`,
        false,
      );
    if (settings.ApiKey.isSet) assertApiKeyEncryptedInTransit(this.id, url);
    return settings;
  }

  /**
   * Runs work with a client.
   *
   * @throws {ModelError} if the work fails; the signal's abort reason if the signal was aborted
   */
  private withClient<T>(
    settings: OpenAiSettings,
    signal: AbortSignal,
    work: (client: OpenAI) => Promise<T>,
  ): Promise<T> {
    return withModelErrors(
      signal,
      async () => work(createOpenAiClient(settings)),
      (error) => this.toModelError(error, settings),
    );
  }

  private toModelError(error: unknown, { BaseUrl, ApiKey }: OpenAiSettings): ModelError {
    const { host } = new URL(BaseUrl);
    const secrets = ApiKey.isSet ? [ApiKey.reveal()] : [];
    return toModelError(
      error,
      { provider: this.id, host, secrets, now: this.clock.now() },
      (candidate) => candidate instanceof APIError && !(candidate instanceof APIConnectionError),
    );
  }

  private warnOfMissingUsage(model: string): void {
    if (this.modelsWithoutUsage.has(model)) return;
    this.modelsWithoutUsage.add(model);
    this.logger.warn(
      { provider: this.id, model },
      'estimating tokens and costs, because the model provider does not report the token usage of responses',
    );
  }
}

/** Returns the error in a part of a stream or in one of its choices, as sent by OpenRouter and vLLM. */
function findChunkError(chunk: unknown): ReturnType<typeof findError> {
  const { choices } = (chunk ?? {}) as { readonly choices?: readonly ({ readonly error?: unknown } | null)[] };
  const failedChoice = Array.isArray(choices) ? choices.find((choice) => choice?.error) : undefined;
  return failedChoice === undefined ? findError(chunk) : parseErrorBody(failedChoice.error);
}
