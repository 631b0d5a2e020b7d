import { truncateText, type EvaluationScope, findLengthError, MAX_NAME_LENGTH, type Value } from '@countersign/model';
import { StepFailure } from './incidents.js';
import { evaluate } from './variables.js';

const MAX_FORMATTED_LENGTH = 200;

/**
 * Evaluates a value of a BPMN model that is used as a name or id. The length of literal names is not checked, because
 * it is checked at deployment, and versions from before the limit must continue to work.
 *
 * @param code incident code if the value is not a string, is empty, or is longer than {@link MAX_NAME_LENGTH}
 * @param label subject of the error message, for example `The job type of "work"`
 * @throws {StepFailure} if the name is invalid
 */
export function evaluateName(value: Value, scope: EvaluationScope, code: string, label: string): string {
  return requireValidName(evaluate(value, scope), value, code, label);
}

/**
 * Checks an evaluated name like {@link evaluateName}.
 *
 * @throws {StepFailure} if the name is invalid
 */
export function requireValidName(name: unknown, value: Value, code: string, label: string): string {
  if (typeof name !== 'string' || name === '')
    throw new StepFailure(code, `${label} must be a non-empty string, but it is ${formatForMessage(name)}.`);
  const lengthError = 'literal' in value ? undefined : findLengthError(name, label);
  if (lengthError !== undefined) throw new StepFailure(code, lengthError);
  return name;
}

/**
 * Evaluates a value of a BPMN model to the names of people, groups or artifacts. The value is a FEEL list or a
 * comma-separated string; the names are returned in Unicode NFC. As in {@link evaluateName}, the length of literal
 * names is not checked.
 *
 * @param label subject of the error message, for example `The candidate users of "approve"`
 * @param options `isRequired`: null is refused instead of read as an empty list
 * @throws {StepFailure} `approval_invalid` if the value is not a list of names or a name is too long
 */
export function evaluateNames(
  value: Value | null,
  scope: EvaluationScope,
  label: string,
  { isRequired = false }: { readonly isRequired?: boolean } = {},
): string[] {
  const evaluated = value === null ? null : evaluate(value, scope);
  if (value === null || (evaluated === null && !isRequired)) return [];
  const items = typeof evaluated === 'string' ? evaluated.split(',').map((item) => item.trim()) : evaluated;
  if (!Array.isArray(items) || !items.every((item): item is string => typeof item === 'string'))
    throw new StepFailure(
      'approval_invalid',
      `${label} must be a list of strings, but it is ${formatForMessage(evaluated)}.`,
    );
  // Names in sign-in tokens are normalized in the same way, so a name means the same person however its accents are
  // encoded.
  const names = items.filter((item) => item !== '').map((item) => item.normalize('NFC'));
  if ('expression' in value) checkNames(names, label);
  return names;
}

/** @throws {StepFailure} `approval_invalid` if a name is too long */
export function checkNames(names: readonly string[], label: string): void {
  const longName = names.find((name) => name.length > MAX_NAME_LENGTH);
  if (longName === undefined) return;
  throw new StepFailure(
    'approval_invalid',
    `${label} include a name of ${longName.length} characters; the limit is ${MAX_NAME_LENGTH}.`,
  );
}

/** Formats a value for a message: its JSON, truncated to 200 characters. */
export function formatForMessage(value: unknown): string {
  return truncateText(JSON.stringify(value), MAX_FORMATTED_LENGTH);
}
