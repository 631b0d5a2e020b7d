/**
 * Maximum length of an id, which is stored and sent back in a header. A stream cannot be resumed after an event with a
 * longer id.
 */
const MAX_ID_LENGTH = 1_000;

/** One event of a stream (WHATWG HTML, 9.2.6). */
export interface ServerEvent {
  readonly data: string;
  /** The position from which the stream can be resumed after this event; `undefined` if it cannot. */
  readonly id: string | undefined;
}

/**
 * Parses an event.
 *
 * @param text the text of a complete event
 */
export function parseEvent(text: string): ServerEvent {
  const data: string[] = [];
  let id: string | undefined;
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)) {
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    else if (field === 'id' && value !== '' && value.length <= MAX_ID_LENGTH && !value.includes('\0')) id = value;
  }
  // An event without data is ignored, together with its id.
  return { data: data.join('\n'), id: data.length === 0 ? undefined : id };
}
