import { GrowingBuffer } from './growing-buffer.js';

/** What a line that is no message may have, in times of the longest message: it is passed over, not kept. */
const LONGEST_OTHER = 16;
/** What is kept of such a line, in bytes. */
const KEPT = 2_048;
const BLANK: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d, 0xef, 0xbb, 0xbf]);
const BRACE = 0x7b;

/** A line is longer than it may be. */
export class LineTooLong extends Error {
  constructor(
    /** Whether it began as messages do. */
    readonly isMessage: boolean,
    /** Bytes that it may have had. */
    readonly longest: number,
  ) {
    super();
  }
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
   * and can be none, the beginning.
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

  #take(part: Buffer): void {
    const wasTooLong = this.#bytes > this.#longest;
    this.#bytes += part.length;
    if (!wasTooLong) this.#begun.append(part);
    if (this.#bytes <= this.#longest) return;
    if (!wasTooLong) {
      if (beginsAsMessage(this.#begun.peek())) throw new LineTooLong(true, this.#longest);
      this.#begun.append(this.#begun.take().subarray(0, KEPT));
    }
    const longest = this.#longest * LONGEST_OTHER;
    if (this.#bytes > longest) throw new LineTooLong(false, longest);
  }
}

function beginsAsMessage(bytes: Buffer): boolean {
  return bytes.find((byte) => !BLANK.has(byte)) === BRACE;
}
