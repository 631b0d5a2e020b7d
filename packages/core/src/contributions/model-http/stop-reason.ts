import { truncateText } from '@countersign/model';
import { ModelError } from '../model-provider.js';
import { sanitizeModelText } from './model-text.js';

/** Meaning of a stop reason. `complete`: the model finished its response or calls tools. */
export type StopKind = 'complete' | 'length' | 'refusal';

const STOP_KINDS: ReadonlyMap<string, StopKind> = new Map([
  ...toEntries('complete', [
    ...['stop', 'end_turn', 'stop_sequence', 'eos', 'eos_token', 'complete', 'completed'],
    ...['tool_calls', 'tool_call', 'tool_use', 'function_call'],
  ]),
  ...toEntries('length', [
    ...['length', 'max_tokens', 'max_length', 'max_output_tokens', 'max_completion_tokens', 'incomplete'],
    ...['model_length', 'model_context_window_exceeded'],
  ]),
  ...toEntries('refusal', [
    ...['refusal', 'content_filter', 'content_filtered', 'guardrail_intervened', 'sensitive'],
    ...['safety', 'recitation', 'blocklist', 'prohibited_content', 'spii', 'image_safety'],
  ]),
]);

/** Reasons that mean that the server, not the model, ended the response. */
const SERVER_REASONS: ReadonlySet<string> = new Set([
  ...['error', 'abort', 'aborted', 'cancelled', 'canceled', 'timeout', 'overloaded', 'network_error'],
  'insufficient_system_resource',
]);

const MAX_REASON_CHARACTERS = 100;

/**
 * Returns the meaning of a stop reason. An unknown reason is an error, because any part of the response may be missing.
 *
 * @param reason in any letter case and with any separators, or as an enum constant
 * @throws {ModelError} `model_unavailable` or `model_answer_malformed`, both retryable: the response is incomplete
 */
export function requireStopKind(reason: string): StopKind {
  const foundKind = findStopKind(reason);
  if (foundKind !== undefined) return foundKind;
  throw new ModelError(
    SERVER_REASONS.has(normalizeReason(reason)) ? 'model_unavailable' : 'model_answer_malformed',
    `The response of the language model is incomplete. It ended for the reason "${truncateText(sanitizeModelText(reason), MAX_REASON_CHARACTERS)}".`,
    true,
  );
}

/** Like `requireStopKind()`, but returns `undefined` for an unknown reason. */
export function findStopKind(reason: string): StopKind | undefined {
  return STOP_KINDS.get(normalizeReason(reason));
}

/** Normalizes a stop reason. Google's APIs prefix the enum name; others use camel case. */
function normalizeReason(reason: string): string {
  return reason
    .trim()
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
    .replace(/^finish_reason_/, '');
}

function toEntries(kind: StopKind, reasons: readonly string[]): [string, StopKind][] {
  return reasons.map((reason) => [reason, kind]);
}
