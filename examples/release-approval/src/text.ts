/**
 * Converts untrusted text to one line without control characters. Also removes characters that change the text
 * direction, because they can make a line look like another one (CVE-2021-42574, "Trojan Source").
 */
export function toOneLine(text: string, maxLength: number): string {
  const cleaned = text
    .replace(/[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return truncate(cleaned, maxLength);
}

/** Truncates a string without splitting a surrogate pair. */
export function truncate(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  let end = Math.max(maxLength - 1, 0);
  if (/[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1;
  return `${text.slice(0, end)}…`;
}

export function pluralize(count: number, singular: string, pluralForm = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : pluralForm}`;
}
