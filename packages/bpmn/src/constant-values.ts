import type { Value } from '@countersign/model';
import type { CompileContext } from './compile-context.js';
import { checkLength, readValue, requireName } from './values.js';

/**
 * Reads a name that must be known at deployment, for example the name of a message that starts runs: literal, or FEEL
 * that always returns the same string (Zeebe 8.6, ProcessMessageStartEventMessageNameValidator).
 */
export function requireConstant(
  context: CompileContext,
  elementId: string,
  label: string,
  text: string | undefined,
): Value | undefined {
  const value = requireName(context, elementId, label, text);
  if (value === undefined || 'literal' in value) return value;
  const literal = evaluateConstant(value);
  if (typeof literal === 'string' && literal !== '') {
    checkLength(context, elementId, label, literal);
    return { literal };
  }
  const message = `${label} must be known when the BPMN model is deployed: use a string, or FEEL that returns a string without variables.`;
  context.problems.add(elementId, 'constant_expected', message);
  return undefined;
}

/** Reads an optional value that must be literal. */
export function readLiteral(
  context: CompileContext,
  elementId: string,
  label: string,
  text: string | undefined,
): { readonly value: Value | null } | undefined {
  const value = readValue(context, elementId, label, text);
  if (value === undefined) return (text?.trim() ?? '') === '' ? { value: null } : undefined;
  if ('literal' in value) {
    checkLength(context, elementId, label, value.literal);
    return { value };
  }
  context.problems.add(
    elementId,
    'literal_expected',
    `${label} of a catching event must be a literal value, not FEEL.`,
  );
  return undefined;
}

/**
 * Returns the constant result of an expression; `undefined` if it depends on variables or on the time, or if it fails.
 */
function evaluateConstant(value: Value): unknown {
  if ('literal' in value) return value.literal;
  if (value.expression.reads.length > 0) return undefined;
  const [first, second] = [0, 1e12].map((now) => evaluateWithoutVariables(value, now));
  return first === second ? first : undefined;
}

/** Evaluates a value without variables; returns `undefined` if it fails. */
export function evaluateWithoutVariables(value: Value, now: number): unknown {
  if ('literal' in value) return value.literal;
  try {
    return value.expression.evaluate({ variables: { get: () => undefined }, now });
  } catch {
    return undefined;
  }
}
