import { beginningOf, type EvaluationScope, faultOfLength, MAX_NAME_LENGTH, type Value } from '@countersign/model';
import { StepFailure } from './incidents.js';
import { evaluate } from './variables.js';

const MAX_SHOWN = 200;

/**
 * Returns the string of a BPMN model's value that is used as a name or id. The length of literal names is not checked:
 * the deployment has done that, and versions older than the limit continue to work.
 *
 * @param code of the incident if the value is not a string, is empty, or is longer than {@link MAX_NAME_LENGTH}
 * @param what the name is for, as a subject: `The job type of "work"`
 * @throws {StepFailure}
 */
export function nameOf(value: Value, scope: EvaluationScope, code: string, what: string): string {
  return checkedName(evaluate(value, scope), value, code, what);
}

/**
 * Checks an evaluated name like {@link nameOf}.
 *
 * @throws {StepFailure}
 */
export function checkedName(name: unknown, value: Value, code: string, what: string): string {
  if (typeof name !== 'string' || name === '')
    throw new StepFailure(code, `${what} must be a non-empty string, but it is ${shown(name)}.`);
  const fault = 'literal' in value ? undefined : faultOfLength(name, what);
  if (fault !== undefined) throw new StepFailure(code, fault);
  return name;
}

/**
 * Returns the names of people, groups or artifacts that a BPMN model's value gives as a FEEL list or as a
 * comma-separated string, in Unicode NFC. As in {@link nameOf}, the length of literal names is not checked.
 *
 * @param what the names are for, as a subject: `The candidate users of "approve"`
 * @param options `isRequired`: null is refused instead of read as an empty list
 * @throws {StepFailure} `approval_invalid`
 */
export function namesOf(
  value: Value | null,
  scope: EvaluationScope,
  what: string,
  { isRequired = false }: { readonly isRequired?: boolean } = {},
): string[] {
  const given = value === null ? null : evaluate(value, scope);
  if (value === null || (given === null && !isRequired)) return [];
  const items = typeof given === 'string' ? given.split(',').map((item) => item.trim()) : given;
  if (!Array.isArray(items) || !items.every((item): item is string => typeof item === 'string'))
    throw new StepFailure('approval_invalid', `${what} must be a list of strings, but it is ${shown(given)}.`);
  // Tokens are read in the same way: one name is one person, however its accents are encoded.
  const names = items.filter((item) => item !== '').map((item) => item.normalize('NFC'));
  if ('expression' in value) checkNames(names, what);
  return names;
}

/** @throws {StepFailure} `approval_invalid` if a name is too long */
export function checkNames(names: readonly string[], what: string): void {
  const long = names.find((name) => name.length > MAX_NAME_LENGTH);
  if (long === undefined) return;
  throw new StepFailure(
    'approval_invalid',
    `${what} include a name of ${long.length} characters; the limit is ${MAX_NAME_LENGTH}.`,
  );
}

/** Returns a value for a message: its JSON, or the beginning of it. */
export function shown(value: unknown): string {
  return beginningOf(JSON.stringify(value), MAX_SHOWN);
}
