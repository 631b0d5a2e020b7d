import { findNumberError } from '@countersign/model';
import { visit, type Document } from 'yaml';

/** Advice for the author of a file that contains an inexact number. */
export const INEXACT_NUMBER_MESSAGE =
  'This number cannot be stored exactly. Use fewer digits, or put it in quotation marks.';

/**
 * Returns the offset of the first number of a YAML document that `parseExactJson` would refuse in JSON, such as
 * 9007199254740993. The text of the number is not returned: it may be an unquoted secret.
 */
export function findInexactNumber(document: Document): number | undefined {
  let offset: number | undefined;
  visit(document, {
    Scalar: (_key, { value, source, range }) => {
      if (typeof value !== 'number' || isExact(value, source)) return undefined;
      offset = range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return offset;
}

/**
 * Returns whether a number is exact. Infinities and NaN are left to the schema of the file. YAML-only notations, such
 * as 0x1F and 190:20:30, denote integers.
 */
function isExact(value: number, source: string | undefined): boolean {
  if (source === undefined || !Number.isFinite(value))
    return source === undefined || /^[+-]?\.(?:inf|nan)$/i.test(source);
  const numberError = findNumberError(source.replaceAll('_', ''));
  return numberError === undefined || (numberError === 'not_a_number' && Number.isSafeInteger(value));
}
