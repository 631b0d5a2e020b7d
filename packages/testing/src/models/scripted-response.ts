import type { Json } from '@countersign/core/plugin';

/** What the model behind a provider answers, and to what; the first that fits. A provider must make the same of it, whatever its API. */
export interface ScriptedResponse {
  /** In this turn, from 1. */
  readonly turn?: number;
  /** Where this stands in what people told it. */
  readonly told?: string;
  /** Where this stands in the newest results of tools. */
  readonly result?: string;
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: Json }[];
  readonly stop?: 'length' | 'refusal';
  readonly fails?: { readonly status: 400 | 401 | 429 | 503; readonly retryAfterMs?: number };
  /** There is never an answer. */
  readonly hangs?: true;
}

/** What of a request such a model goes by. */
export interface ScriptedRequest {
  readonly turn: number;
  readonly told: string;
  readonly result: string;
}

export function responseFor(
  script: readonly ScriptedResponse[],
  { turn, told: prompt, result }: ScriptedRequest,
): ScriptedResponse {
  const found = script.find(
    (says) => (says.turn ?? turn) === turn && prompt.includes(says.told ?? '') && result.includes(says.result ?? ''),
  );
  if (found === undefined) throw new Error(`The test says nothing of turn ${turn}: ${prompt}`);
  return found;
}
