import { beginningOf } from '@countersign/model';
import { ModelError } from '../model-provider.js';
import { modelText } from './model-text.js';

/** What the end of an answer means. `complete`: the model has said all that it wanted to, or calls tools. */
export type StopKind = 'complete' | 'length' | 'refusal';

const KNOWN: ReadonlyMap<string, StopKind> = new Map([
  ...kind('complete', [
    ...['stop', 'end_turn', 'stop_sequence', 'eos', 'eos_token', 'complete', 'completed'],
    ...['tool_calls', 'tool_call', 'tool_use', 'function_call'],
  ]),
  ...kind('length', [
    ...['length', 'max_tokens', 'max_length', 'max_output_tokens', 'max_completion_tokens', 'incomplete'],
    ...['model_length', 'model_context_window_exceeded'],
  ]),
  ...kind('refusal', [
    ...['refusal', 'content_filter', 'content_filtered', 'guardrail_intervened', 'sensitive'],
    ...['safety', 'recitation', 'blocklist', 'prohibited_content', 'spii', 'image_safety'],
  ]),
]);

/** With these, the server gives up, not the model. */
const OF_SERVER: ReadonlySet<string> = new Set([
  ...['error', 'abort', 'aborted', 'cancelled', 'canceled', 'timeout', 'overloaded', 'network_error'],
  'insufficient_system_resource',
]);

const LONGEST_REASON = 100;

/**
 * What the reason means by which an API says that an answer has ended. Only reasons that are known to end a complete answer do;
 * whatever else ended it, nobody knows what is missing.
 *
 * @param reason in any case, with any separators, also as the constant of an enumeration
 * @throws {ModelError} `model_unavailable` or `model_answer_malformed`, to be tried again: the answer is not complete
 */
export function stopKind(reason: string): StopKind {
  const known = knownStopKind(reason);
  if (known !== undefined) return known;
  throw new ModelError(
    OF_SERVER.has(nameOf(reason)) ? 'model_unavailable' : 'model_answer_malformed',
    `The model's answer is not complete: it ended for the reason "${beginningOf(modelText(reason), LONGEST_REASON)}".`,
    true,
  );
}

/** As `stopKind()`; `undefined`: nobody knows. */
export function knownStopKind(reason: string): StopKind | undefined {
  return KNOWN.get(nameOf(reason));
}

/** Google's APIs put the name of the enumeration in front; others write names in camel case. */
function nameOf(reason: string): string {
  return reason
    .trim()
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
    .replace(/^finish_reason_/, '');
}

function kind(stop: StopKind, reasons: readonly string[]): [string, StopKind][] {
  return reasons.map((reason) => [reason, stop]);
}
