import { compileExpression, FeelSyntaxError } from '@countersign/feel';
import { truncateText, type Expression, findLengthError, type Value } from '@countersign/model';
import type { CompileContext, FileContext } from './compile-context.js';

/**
 * Compiles FEEL (without its leading `=`). Records an error with the element, the location in it, and the position in
 * the expression.
 */
function compileFeel(
  context: CompileContext,
  elementId: string,
  label: string,
  source: string,
): Expression | undefined {
  try {
    // FEEL returns frozen JSON; the graph's type does not require it.
    return compileExpression(source) as Expression;
  } catch (error) {
    if (error instanceof FeelSyntaxError) {
      const { line, column } = error.position;
      const message = `${label}: not valid FEEL at line ${line}, column ${column} of the expression: ${error.reason}.`;
      context.problems.add(elementId, 'invalid_expression', message);
    } else {
      const reason = error instanceof Error ? error.message : String(error);
      context.problems.add(elementId, 'invalid_expression', `${label}: ${reason}.`);
    }
    return undefined;
  }
}

/**
 * Reads a value that may be FEEL or literal (Zeebe, ExpressionLanguage: FEEL starts with `=`, anything else is
 * literal).
 *
 * @returns `undefined` if it is absent, empty or invalid; an invalid value is recorded
 */
export function readValue(
  context: CompileContext,
  elementId: string,
  label: string,
  text: string | undefined,
): Value | undefined {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return undefined;
  if (!trimmed.startsWith('=')) return { literal: trimmed };
  const expression = compileFeel(context, elementId, label, trimmed.slice(1));
  return expression === undefined ? undefined : { expression };
}

/** Reads a required value. */
export function requireValue(
  context: CompileContext,
  elementId: string,
  label: string,
  text: string | undefined,
): Value | undefined {
  if ((text?.trim() ?? '') === '') context.problems.add(elementId, 'missing_value', `${label} is missing or empty.`);
  return readValue(context, elementId, label, text);
}

/** Reads a required value that becomes a key. The length of a FEEL result is checked later, at evaluation. */
export function requireName(
  context: CompileContext,
  elementId: string,
  label: string,
  text: string | undefined,
): Value | undefined {
  const value = requireValue(context, elementId, label, text);
  if (value !== undefined && 'literal' in value) checkLength(context, elementId, label, value.literal);
  return value;
}

/**
 * Records a problem if a name is too long for a key.
 *
 * @param label subject of the message
 */
export function checkLength(
  context: FileContext,
  elementId: string,
  label: string,
  text: string,
  code: 'name_too_long' | 'id_too_long' = 'name_too_long',
): void {
  const error = context.isDeployed === true ? undefined : findLengthError(text, label);
  if (error !== undefined) context.problems.add(elementId, code, error);
}

/**
 * Checks the length of the name of each person or group in a literal, like {@link checkLength}. These names are stored
 * in Unicode NFC.
 */
export function checkPeopleNames(context: FileContext, elementId: string, label: string, value: Value | null): void {
  if (value === null || 'expression' in value) return;
  for (const item of splitList(value.literal)) checkLength(context, elementId, label, item.normalize('NFC'));
}

/** Returns the items of a literal list such as `a, b`. */
export function splitList(text: string): readonly string[] {
  return text.split(',').map((item) => item.trim());
}

/** Checks the length of the id of an element, like {@link checkLength}. */
export function checkIdLength(context: FileContext, id: string, type: string): void {
  checkLength(context, id, `The id of this ${type}`, id, 'id_too_long');
}

/** Reads a required value that must be FEEL. Zeebe also refuses literals here. */
export function requireExpression(
  context: CompileContext,
  elementId: string,
  label: string,
  text: string | undefined,
): Expression | undefined {
  const value = requireValue(context, elementId, label, text);
  if (value === undefined) return undefined;
  if ('expression' in value) return value.expression;
  const excerpt = truncateText(value.literal, 80);
  const message = `${label} must be a FEEL expression, which starts with "=", for example "=${excerpt}".`;
  context.problems.add(elementId, 'expression_expected', message);
  return undefined;
}
