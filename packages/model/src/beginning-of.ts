/**
 * The beginning of a text that is too long to be shown, with an ellipsis behind it; a text that is short enough as it is. It
 * ends with no half of a character, which could not be stored.
 *
 * @param length the most, in UTF-16 code units, without the ellipsis
 */
export function beginningOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const isWithinPair = /[\ud800-\udbff]/.test(text[length - 1] ?? '') && /[\udc00-\udfff]/.test(text[length] ?? '');
  return `${text.slice(0, isWithinPair ? length - 1 : length)}…`;
}
