import type { Json } from '@countersign/core/plugin';

/**
 * Scripted response of the language model behind a provider, and its conditions; the first match applies. A provider
 * must return the same result whatever its API.
 */
export interface ScriptedResponse {
  /** Turn, from 1. */
  readonly turn?: number;
  /** Text that the user messages must contain. */
  readonly userText?: string;
  /** Text that the newest tool results must contain. */
  readonly result?: string;
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: Json }[];
  readonly stop?: 'length' | 'refusal';
  readonly fails?: { readonly status: 400 | 401 | 429 | 503; readonly retryAfterMs?: number };
  /** Whether the response never arrives. */
  readonly hangs?: true;
}

/** Parts of a request that the conditions use. */
export interface ScriptedRequest {
  readonly turn: number;
  readonly userText: string;
  readonly result: string;
}

export function findScriptedResponse(
  script: readonly ScriptedResponse[],
  { turn, userText: prompt, result }: ScriptedRequest,
): ScriptedResponse {
  const found = script.find(
    (candidate) =>
      (candidate.turn ?? turn) === turn &&
      prompt.includes(candidate.userText ?? '') &&
      result.includes(candidate.result ?? ''),
  );
  if (found === undefined) throw new Error(`The script has no response for turn ${turn}: ${prompt}`);
  return found;
}
