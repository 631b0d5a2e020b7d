/**
 * Strings that a storage may mishandle: separators, escapes, text that looks like SQL or JSON, and the empty string.
 */
export const EDGE_CASE_STRINGS: readonly string[] = Object.freeze([
  '',
  ' ',
  '\u001e',
  '\u001f',
  'left\u001fright\u001e',
  '\u001f\u001e\u001f\u001f',
  'two\nlines\r\n\tand a tab',
  'a "quote", a \'quote\' and a \\backslash\\',
  '\\u001f \\N \\. \\x00',
  "'); DROP TABLE runs; --",
  '$1 %s ? {}',
  'null',
  '{"a":[1,"b"]}',
  '\u0001\u007f\u0080\u2028\u2029\ufeff',
  '\u{1f512} ü a\u0301',
]);
