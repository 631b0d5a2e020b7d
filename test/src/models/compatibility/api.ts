import type { IncomingHttpHeaders } from 'node:http';
import type { Json, JsonObject } from '@countersign/core';

/**
 * Calls of the language model in each turn: one, two in parallel, one without arguments, and none in the last turn,
 * which returns the output.
 */
export const LOOP_CALLS = [
  [{ name: 'shelf_read', arguments: { note: 'alpha' } }],
  [
    { name: 'shelf_read', arguments: { note: 'beta' } },
    { name: 'shelf_read', arguments: { note: 'gamma' } },
  ],
  [{ name: 'shelf_list', arguments: {} }],
  [],
] as const;

/**
 * Output of the last turn. It contains multi-byte characters, which chunks may split, and braces that a search for JSON
 * must not match.
 */
export const OUTPUT = { title: 'Zürich: “{three}” notes 📚', count: 3 };

type Counts = Partial<Record<'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheWriteTokens', number>>;

/** API as described in its public documentation and in bug reports. All its content is invented. */
export interface Api {
  /** Name in the table of `docs/models.md`. */
  readonly name: string;
  /** Id of the provider. */
  readonly id: string;
  /** Root path of `BaseUrl`. */
  readonly root: string;
  /** Path of the request, below the root. */
  readonly path?: string;
  /** Settings of the provider besides `BaseUrl` and `ApiKey`, as a user of this API sets them. */
  readonly settings?: JsonObject;
  /** Stream of each turn: data of events, or raw lines. */
  readonly turns: readonly (readonly (JsonObject | string)[])[];
  /** Returns the error response if the API refuses a request; `undefined` if it accepts it. */
  findRefusal(request: ApiRequest): ApiResponse | undefined;
  /** Total usage of all turns. */
  readonly usage: Counts & { readonly estimated: boolean };
  readonly failures: readonly Failure[];
}

export interface ApiRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonObject;
}

/** JSON response with a status, or a stream, which may be cut off. */
export type ApiResponse =
  | { readonly status: number; readonly body: Json; readonly headers?: Readonly<Record<string, string>> }
  | { readonly stream: readonly (JsonObject | string)[] };

export interface Failure {
  /** Name of the language model that fails this way. */
  readonly name: string;
  readonly response: ApiResponse;
  readonly code: string;
  /** Whether the request is retried. */
  readonly retryable: boolean;
  /** Reason in the words of the API, which the error message must contain. */
  readonly expectedMessage: string;
  /** Pause that the API requests. */
  readonly retryAfterMs?: number;
  /** Whether the next attempt succeeds. */
  readonly isOnce?: true;
}

export const findFailure = ({ failures }: Api, model: string) => failures.find(({ name }) => name === model);

/** Returns the output as JSON, in pieces as language models stream it. */
export function splitOutput(): readonly string[] {
  return Array.from(JSON.stringify(OUTPUT).matchAll(/.{1,9}/gu), ([piece]) => piece);
}

/** Returns a function that builds stream parts with common members. */
export function createChunkBuilder(chunkFields: JsonObject) {
  return (delta: JsonObject, reason: string | null = null, extraFields: JsonObject = {}): JsonObject => ({
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    ...chunkFields,
    choices: [{ index: 0, delta, finish_reason: reason }],
    ...extraFields,
  });
}

/** Returns the arguments of a call of the loop, as JSON text. */
export function getArgumentsJson(turn: number, call = 0): string {
  return JSON.stringify(LOOP_CALLS[turn]?.[call]?.arguments);
}
