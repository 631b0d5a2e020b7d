/**
 * Makes one line of a text that a stranger wrote: no control characters, and none that turn the direction of writing
 * around, which would let a line look like another one (CVE-2021-42574, "Trojan Source").
 */
export function toOneLine(text: string, maxLength: number): string {
  const cleaned = text
    .replace(/[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return truncate(cleaned, maxLength);
}

/** Shortens by whole characters, so that no half of a surrogate pair is left. */
export function truncate(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  let end = Math.max(maxLength - 1, 0);
  if (/[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1;
  return `${text.slice(0, end)}…`;
}

export function pluralize(count: number, singular: string, pluralForm = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : pluralForm}`;
}
