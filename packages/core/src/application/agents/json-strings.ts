/** Position of a string in a JSON text. */
export interface JsonString {
  /** Start and end of the content in the text, without the quotation marks. */
  readonly start: number;
  readonly end: number;
  /** Name of the member that contains the string, directly or in a list; `undefined` for a member name. */
  readonly key: string | undefined;
  readonly isKey: boolean;
}

/**
 * Returns the strings of a JSON text or of JSON lines in order, including member names, because there may be member
 * names between the parts of a split secret. For text that is not JSON, returns everything between quotation marks.
 * Reads each character once.
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
  for (let position = from; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (code === 0x22) return position;
    if (code === 0x5c) position += 1;
  }
  return -1;
}

/**
 * Returns whether a colon follows. Skips at most 8 spaces or tabs, so that long gaps between strings are not read
 * twice.
 */
function isFollowedByColon(text: string, from: number): boolean {
  let position = from;
  while (position < from + 8 && (text.charCodeAt(position) === 0x20 || text.charCodeAt(position) === 0x09))
    position += 1;
  return text.charCodeAt(position) === 0x3a;
}
