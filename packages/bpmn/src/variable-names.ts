import { isSafeKey } from '@countersign/model';

// The same as in Zeebe 8.6 (ZeebeExpressionValidator), so that a model can be deployed to both engines.
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

/** Returns the reason why a string is not a valid variable name; `undefined` if it is valid. */
export function findNameError(name: string): string | undefined {
  if (!NAME_PATTERN.test(name))
    return `"${name}" is not a valid variable name (letters, digits and "_"; the first character must be a letter)`;
  if (RESERVED_WORDS.has(name)) return `"${name}" is a reserved word of FEEL`;
  if (!isSafeKey(name)) return `"${name}" is a reserved name`;
  return undefined;
}

/** Returns the parts of a dotted path, or the reason why the path is invalid. */
export function parsePath(path: string): { readonly parts: readonly string[] } | { readonly error: string } {
  const parts = path.trim().split('.');
  for (const part of parts) {
    const error = findNameError(part);
    if (error !== undefined) return { error };
  }
  return { parts };
}
