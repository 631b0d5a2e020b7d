import { z } from 'zod';
import { InexactNumberError, isJsonObject, findNumberError, parseExactJson } from '@countersign/model';
import type { SchemaNode } from './schema-node.js';

/** Returns the message for an inexact number, without the number, which may be part of a secret. */
function describeInexactNumber({ problem: { pointer } }: InexactNumberError): string {
  return `The number at "${pointer}" cannot be stored exactly. Use fewer digits, or put it in quotation marks.`;
}

/**
 * Text from the environment or the command line, converted to the type of the schema, or the reason why that is
 * impossible.
 */
export type CoercionResult = { readonly value: unknown } | { readonly problem: string };

export function coerceText(node: SchemaNode, text: string): CoercionResult {
  switch (node.kind) {
    case 'value':
      return coerceValue(node.schema, text);
    case 'list':
      if (node.acceptsSingleItem && !text.trimStart().startsWith('[')) return coerceText(node.item, text);
      return parseJsonAs(text, Array.isArray, 'Expected a JSON list. Alternatively, set each item by its index.');
    case 'map':
      return parseJsonAs(text, isJsonObject, 'Expected a JSON object. Alternatively, set each value by its key.');
    case 'section':
      return parseJsonAs(text, isJsonObject, 'This is a section. Set its keys one by one, or give a JSON object.');
  }
}

function parseJsonAs(text: string, isExpected: (value: unknown) => boolean, problem: string): CoercionResult {
  try {
    const value = parseExactJson(text);
    return isExpected(value) ? { value } : { problem };
  } catch (error) {
    return { problem: error instanceof InexactNumberError ? describeInexactNumber(error) : problem };
  }
}

function coerceValue(schema: z.core.$ZodType, text: string): CoercionResult {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'boolean':
      return coerceBoolean(text);
    case 'number':
      return coerceNumber(text.trim());
    case 'literal': {
      const literal = def.values.find((value) => String(value) === text);
      return { value: literal ?? text };
    }
    case 'union':
      return coerceUnion(def.options, text);
    case 'any':
    case 'unknown':
      return textOrJson(text);
    default:
      return { value: text };
  }
}

function coerceNumber(text: string): CoercionResult {
  const numberError = findNumberError(text);
  if (numberError === undefined) return { value: Number(text) };
  return { problem: numberError === 'not_exact' ? 'The number cannot be stored exactly.' : 'Expected a number.' };
}

function coerceBoolean(text: string): CoercionResult {
  switch (text.trim().toLowerCase()) {
    case 'true':
    case '1':
      return { value: true };
    case 'false':
    case '0':
      return { value: false };
    default:
      return { problem: 'Expected true or false.' };
  }
}

/** Returns the result of the first option that accepts the text. */
function coerceUnion(options: readonly z.core.$ZodType[], text: string): CoercionResult {
  for (const option of options) {
    const coerced = coerceValue(option, text);
    if ('value' in coerced && z.core.safeParse(option, coerced.value).success) return coerced;
  }
  return textOrJson(text);
}

function textOrJson(text: string): CoercionResult {
  if (!/^\s*[[{]/.test(text)) return { value: text };
  try {
    return { value: parseExactJson(text) };
  } catch (error) {
    return error instanceof InexactNumberError ? { problem: describeInexactNumber(error) } : { value: text };
  }
}
