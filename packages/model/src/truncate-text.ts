/**
 * Returns the beginning of a text that is too long to be displayed, followed by an ellipsis, or a short text unchanged.
 * Never splits a surrogate pair, because half of one could not be stored.
 *
 * @param length maximum length in UTF-16 code units, without the ellipsis
 */
export function truncateText(text: string, length: number): string {
  if (text.length <= length) return text;
  const isWithinPair = /[\ud800-\udbff]/.test(text[length - 1] ?? '') && /[\udc00-\udfff]/.test(text[length] ?? '');
  return `${text.slice(0, isWithinPair ? length - 1 : length)}…`;
}
