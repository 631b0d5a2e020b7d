import { isSafeKey } from '@countersign/model';

// Zeebe 8.6, ZeebeExpressionValidator: the same pattern and reserved words, so that a model deploys on both engines.
const NAME_PATTERN = /^[a-zA-Z][a-zA-Z0-9_]*$/;
const RESERVED_WORDS: ReadonlySet<string> = new Set([
  'null',
  'true',
  'false',
  'function',
  'if',
  'then',
  'else',
  'for',
  'between',
  'instance',
  'of',
]);

/** Returns why a text is not a valid variable name, or `undefined` if it is valid. */
export function findNameError(name: string): string | undefined {
  if (!NAME_PATTERN.test(name)) return `"${name}" is not a variable name (letters, digits and "_", a letter first)`;
  if (RESERVED_WORDS.has(name)) return `"${name}" is a reserved word of FEEL`;
  if (!isSafeKey(name)) return `"${name}" is a reserved name`;
  return undefined;
}

/** Returns the parts of a dotted path, or why it is invalid. */
export function parsePath(text: string): { readonly parts: readonly string[] } | { readonly error: string } {
  const parts = text.trim().split('.');
  for (const part of parts) {
    const error = findNameError(part);
    if (error !== undefined) return { error };
  }
  return { parts };
}
