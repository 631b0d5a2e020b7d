import { numberFault } from '@countersign/contract';

/**
 * The value of what was typed into the field of a number: a text that is no number, or none that can be stored exactly,
 * stays a text, which the schema refuses. A comma is a decimal point.
 */
export function numberOf(typed: string): number | string | undefined {
  const text = withPoint(typed);
  if (text === '') return undefined;
  return numberFault(text) === undefined ? Number(text) : typed;
}

/** Whether a text is a number with more digits, or a larger exponent, than can be stored. */
export function isInexact(typed: string): boolean {
  return numberFault(withPoint(typed)) === 'not_exact';
}

function withPoint(typed: string): string {
  return typed.trim().replace(',', '.');
}

/** What the field of a number shows for a value. */
export function textOfNumber(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : '';
}
