import {
  FIELD_FORMATS,
  isJsonObject,
  truncateText,
  type EvaluationScope,
  type FieldFormat,
  type Json,
  type JsonObject,
  type SubjectField,
  type UserTask,
  type UserTaskSubject,
  type Value,
} from '@countersign/model';
import type { Execution } from '../execution.js';
import { StepFailure, toStepFailureOrRethrow } from '../incidents.js';
import { formatForMessage } from '../names.js';
import { evaluate } from '../variables.js';

/** Maximum lengths of the texts; longer texts end with an ellipsis. The inputs, which approvers also see, stay whole. */
const MAX_TITLE_LENGTH = 300;
const MAX_SUMMARY_LENGTH = 2000;
const MAX_LABEL_LENGTH = 100;
const MAX_CURRENCY_LENGTH = 10;
const MAX_FIELDS = 1_000;

type Presentation = Pick<UserTaskSubject, 'title' | 'summary' | 'fields'>;

/**
 * Evaluates how a user task presents its subject: `approval.title`, `approval.summary` and `approval.fields`. The
 * expressions read only the inputs, so that the texts cannot say anything that the approvers do not decide on, and the
 * time of the request, so that the same inputs always yield the same texts.
 *
 * @param requestedAt in milliseconds since the epoch
 * @throws {StepFailure} `approval_invalid` if a result is not a text or not a list of fields
 */
export function evaluatePresentation(
  execution: Execution,
  { id, approval }: UserTask,
  inputs: JsonObject,
  requestedAt: number,
): Presentation {
  if (approval.title === null && approval.summary === null && approval.fields === null) return {};
  const scope: EvaluationScope = {
    now: requestedAt,
    meter: execution.meter,
    variables: { get: (name) => (Object.hasOwn(inputs, name) ? inputs[name] : undefined) },
  };
  const title = evaluateText(approval.title, scope, MAX_TITLE_LENGTH, `The title of "${id}"`);
  const summary = evaluateText(approval.summary, scope, MAX_SUMMARY_LENGTH, `The summary of "${id}"`);
  const fields = approval.fields === null ? null : approval.fields.evaluate(scope);
  return {
    ...(title === null ? {} : { title }),
    ...(summary === null ? {} : { summary }),
    ...(fields === null ? {} : { fields: parseFields(fields, id) }),
  };
}

/**
 * Evaluates the presentation of a requested approval again. Without valid texts, for example after an input has changed,
 * it has none: the digest then differs, and the defaults are displayed. A vote cannot fail because of a text.
 */
export function reevaluatePresentation(...args: Parameters<typeof evaluatePresentation>): Presentation {
  try {
    return evaluatePresentation(...args);
  } catch (error) {
    toStepFailureOrRethrow(error);
    return {};
  }
}

/** Returns `null` if the text is missing, for example because an input is `null`: then the defaults are displayed. */
function evaluateText(value: Value | null, scope: EvaluationScope, maxLength: number, label: string): string | null {
  const text = value === null ? null : evaluate(value, scope);
  if (text === null) return null;
  if (typeof text !== 'string' && typeof text !== 'number')
    throw new StepFailure('approval_invalid', `${label} must be a text, but it is ${formatForMessage(text)}.`);
  const trimmed = String(text).trim();
  return trimmed === '' ? null : truncateText(trimmed, maxLength);
}

function parseFields(fields: Json, elementId: string): SubjectField[] {
  if (!Array.isArray(fields))
    throw new StepFailure(
      'approval_invalid',
      `The fields of "${elementId}" must be a list of contexts with label and value, but they are ${formatForMessage(fields)}.`,
    );
  if (fields.length > MAX_FIELDS)
    throw new StepFailure(
      'approval_invalid',
      `The fields of "${elementId}" are ${fields.length}; ${MAX_FIELDS} are possible. Show lists as one field with the format "table".`,
    );
  return fields.map((field, index) => parseField(field, `Field ${index + 1} of "${elementId}"`));
}

function parseField(field: Json, label: string): SubjectField {
  if (!isJsonObject(field) || typeof field['label'] !== 'string')
    throw new StepFailure(
      'approval_invalid',
      `${label} must be a context with label and value, such as {label: "Supplier", value: supplier}, but it is ${formatForMessage(field)}.`,
    );
  const { value = null, currency = null } = field;
  return {
    // The label, like the currency, may be data: then it must not stop the run.
    label: truncateText(field['label'].trim(), MAX_LABEL_LENGTH) || '–',
    value,
    format: parseFormat(field['format'] ?? 'text', label),
    ...(typeof currency === 'string' ? { currency: truncateText(currency.trim(), MAX_CURRENCY_LENGTH) } : {}),
  };
}

function parseFormat(format: Json, label: string): FieldFormat {
  const found = FIELD_FORMATS.find((each) => each === format);
  if (found !== undefined) return found;
  throw new StepFailure(
    'approval_invalid',
    `The format of ${lowerFirst(label)} must be one of ${FIELD_FORMATS.join(', ')}, but it is ${formatForMessage(format)}.`,
  );
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
