import { numberFault } from '@countersign/contract';

/**
 * The value of what was typed into the field of a number. A text that is no number, or none that can be stored exactly,
 * stays a text, which the schema refuses. So do commas and inner spaces: 12,000 is twelve to some and twelve thousand
 * to others.
 */
export function numberOf(typed: string): number | string | undefined {
  const text = plain(typed);
  if (text === '') return undefined;
  return numberFault(text) === undefined ? Number(text) : typed;
}

/** Whether a text is a number with more digits, or a larger exponent, than can be stored. */
export function isInexact(typed: string): boolean {
  return numberFault(plain(typed)) === 'not_exact';
}

/** What the field of a number shows for a value. A text that looks like a number has its quotation marks. */
export function textOfNumber(value: unknown): string {
  if (typeof value === 'string') return numberFault(plain(value)) === undefined ? JSON.stringify(value) : value;
  return typeof value === 'number' ? String(value) : '';
}

/** Word processors write the minus sign U+2212. */
function plain(typed: string): string {
  return typed.trim().replace(/^\u2212/, '-');
}
