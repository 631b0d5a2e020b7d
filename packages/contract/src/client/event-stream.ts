/** One event of a `text/event-stream`. */
export interface ServerSentEvent {
  /** The id of this event, or of the last one that had one. */
  readonly id: string | undefined;
  /** `message` where the stream names none. */
  readonly event: string;
  readonly data: string;
}

export interface EventStreamHooks {
  /** The server asks to wait this long before a reconnection, in ms. */
  onRetry?(ms: number): void;
  /** An id without an event: where to resume, though nothing came yet. */
  onId?(id: string): void;
}

/** Parses a `text/event-stream` (WHATWG HTML §9.2.6). An event that the end cuts off is dropped, as the standard says. */
export async function* parseEventStream(
  chunks: AsyncIterable<Uint8Array>,
  hooks: EventStreamHooks = {},
): AsyncGenerator<ServerSentEvent, void, undefined> {
  let id: string | undefined;
  let event = '';
  let data: string[] = [];
  for await (const line of linesOf(chunks)) {
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

/** Lines that end in LF, CR or CR LF, also where a chunk ends between the two. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8');
  // Pieces of a line that has not ended are joined once: adding each to one text would make a long line quadratic.
  let open: string[] = [];
  let afterCr = false;
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    let start = 0;
    if (afterCr && text !== '') {
      start = text.startsWith('\n') ? 1 : 0;
      afterCr = false;
    }
    for (let end = lineEnd(text, start); end >= 0; end = lineEnd(text, start)) {
      open.push(text.slice(start, end));
      yield open.join('');
      open = [];
      start = end + 1;
      if (text[end] === '\r') {
        afterCr = start === text.length;
        start += text[start] === '\n' ? 1 : 0;
      }
    }
    open.push(text.slice(start));
  }
}

function lineEnd(text: string, from: number): number {
  for (let index = from; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 10 || code === 13) {
      return index;
    }
  }
  return -1;
}
