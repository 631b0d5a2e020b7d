import type { IncomingHttpHeaders } from 'node:http';
import type { Json, JsonObject } from '@countersign/core';

/** What each API's model does: one call, two at once, one without arguments, and the answer. */
export const LOOP = [
  [{ name: 'shelf_read', arguments: { note: 'alpha' } }],
  [
    { name: 'shelf_read', arguments: { note: 'beta' } },
    { name: 'shelf_read', arguments: { note: 'gamma' } },
  ],
  [{ name: 'shelf_list', arguments: {} }],
  [],
] as const;

/** With characters that are cut apart by bytes, and words that JSON must not be searched for. */
export const OUTPUT = { title: 'Zürich: “{three}” notes 📚', count: 3 };

type Counts = Partial<Record<'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheWriteTokens', number>>;

/** One API as its public documentation and bug reports describe it. All that it says is made up here. */
export interface Api {
  /** As the table of `docs/models.md` names it. */
  readonly name: string;
  /** Of the provider. */
  readonly id: string;
  /** Of `BaseUrl`. */
  readonly root: string;
  /** What is posted to, from the root. */
  readonly path?: string;
  /** Of the provider beside `BaseUrl` and `ApiKey`, as somebody who uses this API sets it. */
  readonly settings?: JsonObject;
  /** What is streamed in each turn: data of events, or lines as they are. */
  readonly turns: readonly (readonly (JsonObject | string)[])[];
  /** Why this API refuses what it is sent, as it answers; `undefined`: it takes it. */
  refuses(request: ApiRequest): Answer | undefined;
  /** What all turns have used together. */
  readonly usage: Counts & { readonly estimated: boolean };
  readonly failures: readonly Failure[];
}

export interface ApiRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonObject;
}

/** An answer that is no stream, or one that breaks off. */
export type Answer =
  | { readonly status: number; readonly body: Json; readonly headers?: Readonly<Record<string, string>> }
  | { readonly stream: readonly (JsonObject | string)[] };

export interface Failure {
  /** Of the model that fails so. */
  readonly name: string;
  readonly answer: Answer;
  readonly code: string;
  /** Whether it is asked again. */
  readonly retryable: boolean;
  /** The true reason, in the words of the API. */
  readonly says: string;
  /** What the API asks to be left alone for. */
  readonly retryAfterMs?: number;
  /** The next attempt is answered. */
  readonly isOnce?: true;
}

export const isFailing = ({ failures }: Api, model: string) => failures.find(({ name }) => name === model);

/** The answer as JSON, in pieces that models stream. */
export function outputPieces(): readonly string[] {
  return Array.from(JSON.stringify(OUTPUT).matchAll(/.{1,9}/gu), ([piece]) => piece);
}

/** Makes parts of a stream of an API whose parts have this in common. */
export function chunksOf(head: JsonObject) {
  return (delta: JsonObject, reason: string | null = null, more: JsonObject = {}): JsonObject => ({
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    ...head,
    choices: [{ index: 0, delta, finish_reason: reason }],
    ...more,
  });
}

/** A call of the loop, as JSON text. */
export function argumentsOf(turn: number, call = 0): string {
  return JSON.stringify(LOOP[turn]?.[call]?.arguments);
}
