import {
  askAgain,
  type ClockPort,
  configuredPrice,
  errorWithin,
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
import { openAiClient } from './openai-client.js';
import { OutputModes } from './output-modes.js';
import { wireRequest } from './wire-request.js';

const NEEDS_KEY = 'api.openai.com';

/** Models behind one server of the Chat Completions API. */
export abstract class OpenAiProvider implements ModelProviderContribution {
  private readonly uncounted = new Set<string>();
  private readonly outputs = new OutputModes();

  protected constructor(
    readonly id: string,
    private readonly clock: ClockPort,
    private readonly logger: LoggerPort,
  ) {}

  /** As they are now. @throws {ModelError} where they are of no use */
  protected abstract settings(): OpenAiSettings;

  async ask(request: ModelRequest, call: ModelCall): Promise<ModelAnswer> {
    const settings = this.checkedSettings();
    const { signal, idempotencyKey } = call;
    const ask = (key: string, answered: () => void) =>
      this.askOnce(request, settings, { ...call, idempotencyKey: key }, answered);
    return askAgain(
      async (answered) => {
        const answer = await ask(idempotencyKey, answered).catch((error: unknown) => {
          if (!this.outputs.hasChangedBy(error, request, settings)) throw error;
          // Another request, to which a server that knows the key would respond as to the first one.
          return ask(`${idempotencyKey}-prompt`, answered);
        });
        if (answer.usage.estimated === true) this.tellUncounted(request.model);
        return answer;
      },
      { maxRetries: settings.MaxRetries, signal },
    );
  }

  /** @param answered is called when a response begins, after which the request is not repeated here */
  private async askOnce(
    request: ModelRequest,
    settings: OpenAiSettings,
    { signal, idempotencyKey, discarded }: ModelCall,
    answered: () => void,
  ): Promise<ModelAnswer> {
    const collector = new AnswerCollector(request, this.id, idempotencyKey);
    const wire = wireRequest(request, settings, this.outputs.of(request, settings), this.id);
    return tellDiscarded(collector, discarded, async () => {
      await this.use(settings, signal, async (client) => {
        // The library knows no idempotency for this API; servers and gateways that do know it go by this header.
        const headers = { 'Idempotency-Key': idempotencyKey };
        const stream = await client.chat.completions.create(wire, { signal, headers });
        answered();
        for await (const chunk of stream) {
          collector.count(chunk);
          // Said in ways that the library does not know.
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
    const { data } = await this.use(settings, signal, (client) => client.models.list({ signal }));
    return `${new URL(settings.BaseUrl).host} answers, and offers ${Array.isArray(data) ? data.length : 0} models.`;
  }

  hosts(): readonly string[] {
    return [new URL(this.settings().BaseUrl).host];
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

  /** @throws {ModelError}, or what the signal was aborted with */
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
      'The model provider does not tell how many tokens an answer has used: they are estimated, and so are budgets.',
    );
  }
}

/** The error that a part of a stream is, or that its choice has: as OpenRouter and vLLM send them. */
function errorOfChunk(chunk: unknown): ReturnType<typeof errorWithin> {
  const { choices } = (chunk ?? {}) as { readonly choices?: readonly ({ readonly error?: unknown } | null)[] };
  const failed = Array.isArray(choices) ? choices.find((choice) => choice?.error) : undefined;
  return failed === undefined ? errorWithin(chunk) : readError(failed.error);
}
