/** String in a JSON text. */
export interface JsonString {
  /** Start and end of the content in the text, without the quotation marks. */
  readonly start: number;
  readonly end: number;
  /** Name of the member whose value the string is or, in a list, belongs to. */
  readonly key: string | undefined;
  readonly isKey: boolean;
}

/**
 * Returns the strings of JSON text, JSON lines included, in order: the parts of a split secret may have member names
 * between them. Text that is not JSON yields everything between quotation marks. Reads each character once.
 */
export function findJsonStrings(text: string): JsonString[] {
  const strings: JsonString[] = [];
  let key: string | undefined;
  for (let open = text.indexOf('"'); open >= 0;) {
    const close = findClosingQuote(text, open + 1);
    if (close < 0) break;
    const isKey = isFollowedByColon(text, close + 1);
    const [start, end] = [open + 1, close];
    strings.push({ start, end, key: isKey ? undefined : key, isKey });
    if (isKey) key = text.slice(start, end);
    open = text.indexOf('"', close + 1);
  }
  return strings;
}

function findClosingQuote(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at;
    if (code === 0x5c) at += 1;
  }
  return -1;
}

/** Skips at most a few spaces, so that the text between two strings is not read twice. */
function isFollowedByColon(text: string, from: number): boolean {
  let at = from;
  while (at < from + 8 && (text.charCodeAt(at) === 0x20 || text.charCodeAt(at) === 0x09)) at += 1;
  return text.charCodeAt(at) === 0x3a;
}
