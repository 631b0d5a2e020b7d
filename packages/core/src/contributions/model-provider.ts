import { brand, hasBrand, type Json, type JsonObject } from '@countersign/model';
import type { ServiceIdentifier } from 'inversify';

/** A provider of language models behind one kind of API. */
export interface ModelProviderContribution {
  /** Id used in agent definitions, for example `openai`. */
  readonly id: string;
  /**
   * Sends one request. The provider may retry within the call only while no part of a response has arrived.
   *
   * @throws {ModelError} if the provider returns no usable response
   */
  complete(request: ModelRequest, call: ModelCall): Promise<ModelCompletion>;
  /**
   * Checks that the provider responds, free of charge if possible.
   *
   * @returns a description of the result, for display
   * @throws {ModelError} if the provider does not respond or refuses the request
   */
  check(signal: AbortSignal): Promise<string>;
  /**
   * Returns the targets of requests: origins as in `URL.origin` (RFC 6454), or `host` or `host:port` if the scheme is
   * unknown. Policies evaluate them.
   */
  hosts?(): readonly string[];
  /**
   * Reduces `opaque` data of an older response to the minimum that the API still requires, for a conversation that has
   * grown too large. If omitted, nothing is kept.
   */
  reduceOpaque?(opaque: Json): Json;
  /** Returns the price of a model; `undefined` if none is configured. */
  price(model: string): ModelPrice | undefined;
}

export const ModelProviderContribution: ServiceIdentifier<ModelProviderContribution> = Symbol.for(
  '@countersign/core:ModelProviderContribution',
);

/** Prices per million tokens, in the operator's currency. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Price of input that is read from the provider's cache. Default: the price of other input. */
  readonly cacheRead?: number;
  /** Price of input that is written to the provider's cache. Default: the price of other input. */
  readonly cacheWrite?: number;
}

export interface ModelUsage {
  /** All input tokens, cached or not. */
  readonly inputTokens: number;
  /** All output tokens, including reasoning. */
  readonly outputTokens: number;
  /** Input tokens read from the provider's cache. */
  readonly cacheReadTokens?: number;
  /** Input tokens written to the provider's cache. */
  readonly cacheWriteTokens?: number;
  /** Whether any count is an estimate because the provider did not report it. */
  readonly estimated?: true;
}

export interface ModelRequest {
  readonly model: string;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  /** JSON Schema of the final response; `null`: plain text. */
  readonly outputSchema: JsonObject | null;
  /** From 0 to 2; `null`: the provider's default. */
  readonly temperature: number | null;
  readonly maxOutputTokens: number;
}

export type ModelMessage =
  | { readonly role: 'user'; readonly text: string }
  | {
      readonly role: 'assistant';
      readonly text: string | null;
      readonly calls: readonly ModelToolCall[];
      /** Provider data of this response, which must be sent back unchanged. */
      readonly opaque: Json;
    }
  | { readonly role: 'tool'; readonly results: readonly ModelToolResult[] };

/** A tool offered to the language model. Its name consists of letters, digits, `_` and `-`, 64 characters at most. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  /** Arguments from the model. Text that is not valid JSON is passed as a string. */
  readonly arguments: Json;
}

export interface ModelToolResult {
  readonly callId: string;
  readonly content: string;
  readonly isError: boolean;
}

export interface ModelCall {
  /** Aborted when the step is cancelled, the time limit is reached, the lease is lost, or the server stops. */
  readonly signal: AbortSignal;
  /**
   * Key of one attempt of an agent turn, the same even if another server continues the attempt. Each attempt has its
   * own key, because a gateway would otherwise repeat a response that could not be used.
   */
  readonly idempotencyKey: string;
  /**
   * Reports the usage, partly estimated if necessary, of a response that cannot be used (interrupted, malformed, or too
   * slow). Such usage is paid for and counts against budgets. Not called for a response that {@link
   * ModelProviderContribution.complete} returns.
   *
   * @param model the responding model as named by the provider, if already known: prices may be set for that name
   */
  readonly onDiscarded?: (usage: ModelUsage, model?: string) => void;
}

export interface ModelCompletion {
  readonly text: string | null;
  readonly calls: readonly ModelToolCall[];
  /** `length`: cut off at `maxOutputTokens` or at the context limit of the model; `refusal`: the model declined. */
  readonly stop: 'end' | 'calls' | 'length' | 'refusal';
  readonly usage: ModelUsage;
  /** The responding model, as named by the provider. */
  readonly model: string;
  readonly opaque: Json;
}

/** Thrown when a provider returns no usable response. */
export class ModelError extends Error {
  constructor(
    /**
     * Error code: `model_rate_limited`, `model_unavailable`, `model_timeout`, `model_answer_malformed`,
     * `model_unauthorized` or `model_request_refused`.
     */
    readonly code: string,
    message: string,
    readonly retryable: boolean,
    /** Minimum delay before the next attempt, in milliseconds. */
    readonly retryAfterMs?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ModelError';
  }
}

brand(ModelError, 'ModelError');

/** Returns whether a value is a {@link ModelError} of any copy of this package. Use this instead of `instanceof`. */
export function isModelError(value: unknown): value is ModelError {
  return hasBrand(value, 'ModelError');
}
