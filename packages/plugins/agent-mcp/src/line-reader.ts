import { GrowingBuffer } from './growing-buffer.js';

/** Number of bytes to keep of a line that exceeds the maximum message size and cannot be a message. */
const KEPT_BYTES = 2_048;
/** An object, or a batch of objects (MCP 2025-03-26). Log lines may also start with brackets. */
const MESSAGE_START = /^\s*(?:\{|\[\s*\{)/;

/** Thrown when a line that starts like a message exceeds the maximum message size. */
export class LineTooLongError extends Error {}

/** Returns whether a line starts like a message, possibly after a byte-order mark. */
export function startsLikeMessage(line: string): boolean {
  return MESSAGE_START.test(line);
}

/** Splits a stream of bytes into lines, and holds at most one chunk and one incomplete line. */
export class LineReader {
  readonly #maxBytes: number;
  readonly #unread: Buffer[] = [];
  /** The incomplete line; only its beginning if it cannot be a message. */
  readonly #incomplete = new GrowingBuffer();
  /** Size of the incomplete line in bytes. */
  #incompleteBytes = 0;

  /** @param maxBytes maximum size of a message, in bytes */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Buffer): void {
    this.#unread.push(chunk);
  }

  /**
   * Returns the next complete line without its line end; `undefined` if there is none yet. Returns only the beginning
   * of a line that exceeds the maximum message size and cannot be a message.
   *
   * @throws {LineTooLongError} if a line that starts like a message exceeds the maximum message size
   */
  next(): string | undefined {
    for (let chunk = this.#unread.shift(); chunk !== undefined; chunk = this.#unread.shift()) {
      const end = chunk.indexOf(0x0a);
      this.#append(end < 0 ? chunk : chunk.subarray(0, end));
      if (end < 0) continue;
      if (end + 1 < chunk.length) this.#unread.unshift(chunk.subarray(end + 1));
      const line = this.#incomplete.take().toString('utf8');
      this.#incompleteBytes = 0;
      return line.endsWith('\r') ? line.slice(0, -1) : line;
    }
    return undefined;
  }

  /** Returns the incomplete line. */
  rest(): string {
    return this.#incomplete.peek().toString('utf8');
  }

  #append(part: Buffer): void {
    const wasTooLong = this.#incompleteBytes > this.#maxBytes;
    this.#incompleteBytes += part.length;
    if (!wasTooLong) this.#incomplete.append(part);
    if (this.#incompleteBytes <= this.#maxBytes) return;
    if (wasTooLong) return;
    if (startsLikeMessage(this.#incomplete.peek().toString('utf8', 0, KEPT_BYTES))) throw new LineTooLongError();
    this.#incomplete.append(this.#incomplete.take().subarray(0, KEPT_BYTES));
  }
}
