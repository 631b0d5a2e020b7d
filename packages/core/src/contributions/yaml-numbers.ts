import { numberFault } from '@countersign/model';
import { visit, type Document } from 'yaml';

/**
 * Offset of the first number of a YAML document that would be read as another one, such as 9007199254740993. Its text is
 * not returned: it may be a secret that lacks quotation marks.
 */
export function findInexactScalar(document: Document): number | undefined {
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

/** Infinities and NaN are left to the schema of the file. Hexadecimal and octal numbers (YAML 1.2, 10.3.2) are whole. */
function isExact(value: number, source: string | undefined): boolean {
  if (source === undefined || /^[+-]?\.inf$|^\.nan$/i.test(source)) return true;
  return /^0[ox]/.test(source) ? Number.isSafeInteger(value) : numberFault(source) === undefined;
}
