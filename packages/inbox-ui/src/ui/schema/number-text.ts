import { findNumberError } from '@countersign/contract';

/**
 * Returns the value of a number field. Text that is not a number, or cannot be stored exactly, stays a string, which
 * the schema refuses. The same applies to commas and inner spaces, because 12,000 means twelve in some locales and
 * twelve thousand in others.
 */
export function parseNumberText(typed: string): number | string | undefined {
  const text = normalizeNumberText(typed);
  if (text === '') return undefined;
  return findNumberError(text) === undefined ? Number(text) : typed;
}

/** Returns whether a text is a number with more digits, or a larger exponent, than can be stored. */
export function isInexact(typed: string): boolean {
  return findNumberError(normalizeNumberText(typed)) === 'not_exact';
}

/** Returns the text that a number field shows for a value. A string that looks like a number is quoted. */
export function formatNumberText(value: unknown): string {
  if (typeof value === 'string')
    return findNumberError(normalizeNumberText(value)) === undefined ? JSON.stringify(value) : value;
  return typeof value === 'number' ? String(value) : '';
}

/** Trims the text and replaces the minus sign U+2212, which word processors insert. */
function normalizeNumberText(typed: string): string {
  return typed.trim().replace(/^\u2212/, '-');
}
