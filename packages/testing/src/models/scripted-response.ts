import type { Json } from '@countersign/core/plugin';

/**
 * Scripted response of a fake language model, with the conditions for its use. The first response of a script whose
 * conditions match the request is sent. Every provider must convert it to the same completion, regardless of its API.
 */
export interface ScriptedResponse {
  /** Number of the turn, counted from 1. */
  readonly turn?: number;
  /** Text that the user messages must contain. */
  readonly userText?: string;
  /** Text that the newest tool results must contain. */
  readonly result?: string;
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: Json }[];
  readonly stop?: 'length' | 'refusal';
  readonly failure?: { readonly status: 400 | 401 | 429 | 503; readonly retryAfterMs?: number };
  /** Whether the response never arrives. */
  readonly hangs?: true;
}

/** Fields of a request that the conditions refer to. */
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
