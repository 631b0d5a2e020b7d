import { brand, hasBrand, type Json, type JsonObject } from '@countersign/model';
import type { ServiceIdentifier } from 'inversify';

/** Asks models of one kind of API. */
export interface ModelProviderContribution {
  /** As agent definitions name it, for example `openai`. */
  readonly id: string;
  /**
   * Asks once. Retries within the call are the provider's own only where nothing was answered yet.
   *
   * @throws {ModelError}
   */
  ask(request: ModelRequest, call: ModelCall): Promise<ModelAnswer>;
  /** Tries that the provider answers at all, without cost where that is possible. @returns what was found. @throws {ModelError} */
  check(signal: AbortSignal): Promise<string>;
  /**
   * Where it sends what a model is asked: origins as `URL.origin` gives them (RFC 6454), or `host` or `host:port` where the
   * scheme is not known. Policies decide by it.
   */
  hosts?(): readonly string[];
  /**
   * The least of what it gave with an older answer (`opaque`) that its API still insists on, for a conversation that has grown
   * too large; by default nothing.
   */
  reduced?(opaque: Json): Json;
  /** What a model costs; `undefined` where nobody has configured it. */
  price(model: string): ModelPrice | undefined;
}

export const ModelProviderContribution: ServiceIdentifier<ModelProviderContribution> = Symbol.for(
  '@countersign/core:ModelProviderContribution',
);

/** In units of the operator's currency for a million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Of input that was read from the provider's cache; by default as of any. */
  readonly cacheRead?: number;
  /** Of input that was written to it; by default as of any. */
  readonly cacheWrite?: number;
}

export interface ModelUsage {
  /** All that the model was given, from a cache or not. */
  readonly inputTokens: number;
  /** All that it wrote, thoughts included. */
  readonly outputTokens: number;
  /** Of the input, what was read from the provider's cache. */
  readonly cacheReadTokens?: number;
  /** Of the input, what was written to it. */
  readonly cacheWriteTokens?: number;
  /** Whether the provider did not count, or not all of it. */
  readonly estimated?: true;
}

export interface ModelRequest {
  readonly model: string;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  /** The last answer must be JSON of this schema; `null`: text. */
  readonly outputSchema: JsonObject | null;
  /** 0 to 2; `null`: the provider's default. */
  readonly temperature: number | null;
  readonly maxOutputTokens: number;
}

export type ModelMessage =
  | { readonly role: 'user'; readonly text: string }
  | {
      readonly role: 'assistant';
      readonly text: string | null;
      readonly calls: readonly ModelToolCall[];
      /** What the provider gave with this answer and wants back unchanged. */
      readonly opaque: Json;
    }
  | { readonly role: 'tool'; readonly results: readonly ModelToolResult[] };

/** Names consist of letters, digits, `_` and `-`, 64 characters at most. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  /** What the model gave; a text that is no JSON is given as that text. */
  readonly arguments: Json;
}

export interface ModelToolResult {
  readonly callId: string;
  readonly content: string;
  readonly isError: boolean;
}

export interface ModelCall {
  /** Aborted when the step is cancelled, the time is over, the lease is lost, or the server stops. */
  readonly signal: AbortSignal;
  /**
   * The same for one attempt at this turn, also where another server goes on with it. Another attempt has another key, because
   * a gateway would repeat the answer that could not be used.
   */
  readonly idempotencyKey: string;
  /**
   * To be told what a response has used that nothing can be made of (it broke off, is malformed, took too long), as far as its
   * provider knows: it is paid for, and counts for budgets. Not for what {@link ModelProviderContribution.ask} resolves with.
   *
   * @param model as the provider names what has answered, where it said so yet: prices may be those of that name
   */
  readonly discarded?: (usage: ModelUsage, model?: string) => void;
}

export interface ModelAnswer {
  readonly text: string | null;
  readonly calls: readonly ModelToolCall[];
  /** `length`: cut off at `maxOutputTokens`; `refusal`: the model declines. */
  readonly stop: 'end' | 'calls' | 'length' | 'refusal';
  readonly usage: ModelUsage;
  /** As the provider names what answered. */
  readonly model: string;
  readonly opaque: Json;
}

/** A provider could not answer. */
export class ModelError extends Error {
  constructor(
    /** `model_rate_limited`, `model_unavailable`, `model_timeout`, `model_answer_malformed`, `model_unauthorized`, `model_request_refused` */
    readonly code: string,
    message: string,
    readonly retryable: boolean,
    /** Milliseconds to wait at least. */
    readonly retryAfterMs?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ModelError';
  }
}

brand(ModelError, 'ModelError');

/** Whether this is a {@link ModelError}, of any copy of this package: use this instead of `instanceof`. */
export function isModelError(value: unknown): value is ModelError {
  return hasBrand(value, 'ModelError');
}
