import { truncateText, type EvaluationScope, findLengthError, MAX_NAME_LENGTH, type Value } from '@countersign/model';
import { StepFailure } from './incidents.js';
import { evaluate } from './variables.js';

const MAX_FORMATTED_LENGTH = 200;

/**
 * Returns the string of a BPMN model's value that is used as a name or id. The length of literal names is not checked:
 * the deployment has done that, and versions older than the limit continue to work.
 *
 * @param code of the incident if the value is not a string, is empty, or is longer than {@link MAX_NAME_LENGTH}
 * @param label the name is for, as a subject: `The job type of "work"`
 * @throws {StepFailure}
 */
export function evaluateName(value: Value, scope: EvaluationScope, code: string, label: string): string {
  return requireValidName(evaluate(value, scope), value, code, label);
}

/**
 * Checks an evaluated name like {@link evaluateName}.
 *
 * @throws {StepFailure}
 */
export function requireValidName(name: unknown, value: Value, code: string, label: string): string {
  if (typeof name !== 'string' || name === '')
    throw new StepFailure(code, `${label} must be a non-empty string, but it is ${formatForMessage(name)}.`);
  const lengthError = 'literal' in value ? undefined : findLengthError(name, label);
  if (lengthError !== undefined) throw new StepFailure(code, lengthError);
  return name;
}

/**
 * Returns the names of people, groups or artifacts that a BPMN model's value gives as a FEEL list or as a
 * comma-separated string, in Unicode NFC. As in {@link evaluateName}, the length of literal names is not checked.
 *
 * @param label the names are for, as a subject: `The candidate users of "approve"`
 * @param options `isRequired`: null is refused instead of read as an empty list
 * @throws {StepFailure} `approval_invalid`
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
  // Tokens are read in the same way: one name is one person, however its accents are encoded.
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

/** Returns a value for a message: its JSON, or the beginning of it. */
export function formatForMessage(value: unknown): string {
  return truncateText(JSON.stringify(value), MAX_FORMATTED_LENGTH);
}
