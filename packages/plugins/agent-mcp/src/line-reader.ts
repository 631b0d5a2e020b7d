import { GrowingBuffer } from './growing-buffer.js';

/** Bytes that are kept of a line that exceeds the message size and cannot be a message. */
const KEPT = 2_048;
/** An object, or a batch of objects (MCP 2025-03-26). Log lines may also start with brackets. */
const BEGINS_AS_MESSAGE = /^\s*(?:\{|\[\s*\{)/;

/** Thrown when a line that starts like a message exceeds the message size. */
export class LineTooLong extends Error {}

/** Returns whether a line starts like a message, possibly after a byte-order mark. */
export function beginsAsMessage(line: string): boolean {
  return BEGINS_AS_MESSAGE.test(line);
}

/** Splits a stream of bytes into lines, and holds at most one chunk and one incomplete line. */
export class LineReader {
  readonly #longest: number;
  readonly #unread: Buffer[] = [];
  /** The incomplete line; only its beginning if it cannot be a message. */
  readonly #begun = new GrowingBuffer();
  /** Size of the incomplete line in bytes. */
  #bytes = 0;

  /** @param longest maximum size of a message, in bytes */
  constructor(longest: number) {
    this.#longest = longest;
  }

  push(chunk: Buffer): void {
    this.#unread.push(chunk);
  }

  /**
   * Returns the next complete line without its line end; `undefined` if there is none yet. Returns only the beginning
   * of a line that exceeds the message size and cannot be a message.
   *
   * @throws {LineTooLong}
   */
  next(): string | undefined {
    for (let chunk = this.#unread.shift(); chunk !== undefined; chunk = this.#unread.shift()) {
      const end = chunk.indexOf(0x0a);
      this.#take(end < 0 ? chunk : chunk.subarray(0, end));
      if (end < 0) continue;
      if (end + 1 < chunk.length) this.#unread.unshift(chunk.subarray(end + 1));
      const line = this.#begun.take().toString('utf8');
      this.#bytes = 0;
      return line.endsWith('\r') ? line.slice(0, -1) : line;
    }
    return undefined;
  }

  /** Returns the incomplete line. */
  rest(): string {
    return this.#begun.peek().toString('utf8');
  }

  #take(part: Buffer): void {
    const wasTooLong = this.#bytes > this.#longest;
    this.#bytes += part.length;
    if (!wasTooLong) this.#begun.append(part);
    if (this.#bytes <= this.#longest) return;
    if (wasTooLong) return;
    if (beginsAsMessage(this.#begun.peek().toString('utf8', 0, KEPT))) throw new LineTooLong();
    this.#begun.append(this.#begun.take().subarray(0, KEPT));
  }
}
