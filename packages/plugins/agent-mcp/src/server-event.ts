/** Characters of an id, which is kept and sent back in a header. Behind an event with a longer one, no stream goes on. */
const MAX_ID = 1_000;

/** One event of a stream (WHATWG HTML, 9.2.6). */
export interface ServerEvent {
  readonly data: string;
  /** Where a stream that breaks off behind it goes on; `undefined`: it can't. */
  readonly id: string | undefined;
}

/** @param text of a whole event */
export function readEvent(text: string): ServerEvent {
  const data: string[] = [];
  let id: string | undefined;
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)) {
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    else if (field === 'id' && value !== '' && value.length <= MAX_ID && !value.includes('\0')) id = value;
  }
  // One without data is passed over, and its id with it.
  return { data: data.join('\n'), id: data.length === 0 ? undefined : id };
}
