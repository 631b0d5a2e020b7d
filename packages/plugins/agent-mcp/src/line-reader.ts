import { GrowingBuffer } from './growing-buffer.js';

/** What is kept of a line that is longer than a message and can be none, in bytes. */
const KEPT = 2_048;
/** An object, or a batch of them (MCP 2025-03-26). Logs begin with brackets, too. */
const BEGINS_AS_MESSAGE = /^\s*(?:\{|\[\s*\{)/;

/** A line that began like a message is longer than messages may be. */
export class LineTooLong extends Error {}

/** Whether a line begins like a message, perhaps behind a byte-order mark. */
export function beginsAsMessage(line: string): boolean {
  return BEGINS_AS_MESSAGE.test(line);
}

/** Takes a stream of bytes apart into lines, and holds no more than one chunk and one line that is not complete. */
export class LineReader {
  readonly #longest: number;
  readonly #unread: Buffer[] = [];
  /** What has come of a line whose end has not; of one that can be no message, its beginning. */
  readonly #begun = new GrowingBuffer();
  /** Bytes of that line. */
  #bytes = 0;

  /** @param longest bytes that a message may have */
  constructor(longest: number) {
    this.#longest = longest;
  }

  push(chunk: Buffer): void {
    this.#unread.push(chunk);
  }

  /**
   * The next complete line, without its end; `undefined` where there is none yet. Of a line that is longer than a message
   * and can be none, however long that is, the beginning.
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

  /** What has come of a line that has no end. */
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
