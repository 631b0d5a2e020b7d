import { beginningOf, type EvaluationScope, faultOfLength, MAX_NAME_LENGTH, type Value } from '@countersign/model';
import { StepFailure } from './incidents.js';
import { evaluate } from './variables.js';

const MAX_SHOWN = 200;

/**
 * The text that a value of the model gives, where it becomes a name or an id. Literal names are not checked for their
 * length: the deployment has done that, and versions that are older than the limit continue to work.
 *
 * @param code of the incident if the value is not a text, is empty, or is longer than {@link MAX_NAME_LENGTH}
 * @param what it is, as a subject: `The job type of "work"`
 * @throws {StepFailure}
 */
export function nameOf(value: Value, scope: EvaluationScope, code: string, what: string): string {
  return checkedName(evaluate(value, scope), value, code, what);
}

/** The same of what a value has given. @throws {StepFailure} */
export function checkedName(name: unknown, value: Value, code: string, what: string): string {
  if (typeof name !== 'string' || name === '')
    throw new StepFailure(code, `${what} must be a text that is not empty, but it is ${shown(name)}.`);
  const fault = 'literal' in value ? undefined : faultOfLength(name, what);
  if (fault !== undefined) throw new StepFailure(code, fault);
  return name;
}

/**
 * Names of people, groups or artifacts that a value of the model gives as a list of FEEL or as text with commas, in Unicode
 * NFC. As in {@link nameOf}, literal ones are not checked for their length.
 *
 * @param what they are, as a subject: `The candidate users of "approve"`
 * @param options `isRequired`: null is not a list without names
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
    throw new StepFailure('approval_invalid', `${what} must be a list of texts, but it is ${shown(given)}.`);
  // As tokens are read: one name is one person, however its accents are encoded.
  const names = items.filter((item) => item !== '').map((item) => item.normalize('NFC'));
  if ('expression' in value) checkNames(names, what);
  return names;
}

/** @throws {StepFailure} `approval_invalid` where one of them is too long */
export function checkNames(names: readonly string[], what: string): void {
  const long = names.find((name) => name.length > MAX_NAME_LENGTH);
  if (long === undefined) return;
  throw new StepFailure(
    'approval_invalid',
    `${what} include a name of ${long.length} characters; the limit is ${MAX_NAME_LENGTH}.`,
  );
}

/** A value in a message: its JSON, or the beginning of it. */
export function shown(value: unknown): string {
  return beginningOf(JSON.stringify(value), MAX_SHOWN);
}
