/** One event of a `text/event-stream`. */
export interface ServerSentEvent {
  /** The id of this event, or the last id before it. */
  readonly id: string | undefined;
  /** The type of the event. Default: `message`. */
  readonly event: string;
  readonly data: string;
}

export interface EventStreamHooks {
  /** Called with the reconnection delay that the server requests, in ms. */
  onRetry?(ms: number): void;
  /** Called for an id without an event: a position to resume from, even if no event has arrived yet. */
  onId?(id: string): void;
}

/**
 * Parses a `text/event-stream` (WHATWG HTML §9.2.6). An event that the end of the stream cuts off is dropped, as the
 * standard requires.
 */
export async function* parseEventStream(
  chunks: AsyncIterable<Uint8Array>,
  hooks: EventStreamHooks = {},
): AsyncGenerator<ServerSentEvent, void, undefined> {
  let id: string | undefined;
  let event = '';
  let data: string[] = [];
  for await (const line of readLines(chunks)) {
    if (line === '') {
      if (data.length > 0) {
        yield { id, event: event || 'message', data: data.join('\n') };
      } else if (id !== undefined) {
        hooks.onId?.(id);
      }
      event = '';
      data = [];
      continue;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') {
      data.push(value);
    } else if (field === 'event') {
      event = value;
    } else if (field === 'id' && !value.includes('\0')) {
      id = value;
    } else if (field === 'retry' && /^\d+$/.test(value)) {
      hooks.onRetry?.(Number(value));
    }
  }
}

/** Splits chunks into lines that end in LF, CR or CR LF, even if a chunk ends between CR and LF. */
async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8');
  // Parts of an incomplete line are joined once: appending each part to a string would be quadratic in long lines.
  let partialLine: string[] = [];
  let isAfterCr = false;
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    let start = 0;
    if (isAfterCr && text !== '') {
      start = text.startsWith('\n') ? 1 : 0;
      isAfterCr = false;
    }
    for (let end = findLineEnd(text, start); end >= 0; end = findLineEnd(text, start)) {
      partialLine.push(text.slice(start, end));
      yield partialLine.join('');
      partialLine = [];
      start = end + 1;
      if (text[end] === '\r') {
        isAfterCr = start === text.length;
        start += text[start] === '\n' ? 1 : 0;
      }
    }
    partialLine.push(text.slice(start));
  }
}

function findLineEnd(text: string, from: number): number {
  for (let index = from; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 10 || code === 13) {
      return index;
    }
  }
  return -1;
}
