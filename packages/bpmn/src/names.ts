import { isSafeKey } from '@countersign/model';

// Zeebe 8.6, ZeebeExpressionValidator: the same pattern and reserved words, so that a model deploys on both engines.
const NAME = /^[a-zA-Z][a-zA-Z0-9_]*$/;
const RESERVED: ReadonlySet<string> = new Set([
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
export function nameError(name: string): string | undefined {
  if (!NAME.test(name)) return `"${name}" is not a variable name (letters, digits and "_", a letter first)`;
  if (RESERVED.has(name)) return `"${name}" is a reserved word of FEEL`;
  if (!isSafeKey(name)) return `"${name}" is a reserved name`;
  return undefined;
}

/** Returns the parts of a dotted path, or why it is invalid. */
export function parsePath(text: string): { readonly parts: readonly string[] } | { readonly fault: string } {
  const parts = text.trim().split('.');
  for (const part of parts) {
    const fault = nameError(part);
    if (fault !== undefined) return { fault };
  }
  return { parts };
}
