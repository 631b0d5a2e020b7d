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
  /** What has come of a line whose end has not. */
  #begun: Buffer[] = [];
  #begunBytes = 0;
  /** Whether the line is too long to be a message, so that only its beginning is kept. */
  #isCut = false;

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
      const line = Buffer.concat(this.#begun).toString('utf8');
      this.#begun = [];
      this.#begunBytes = 0;
      this.#isCut = false;
      return line.endsWith('\r') ? line.slice(0, -1) : line;
    }
    return undefined;
  }

  #take(part: Buffer): void {
    this.#begunBytes += part.length;
    if (!this.#isCut) this.#begun.push(part);
    if (this.#begunBytes <= this.#longest) return;
    if (!this.#isCut) {
      if (beginsAsMessage(this.#begun)) throw new LineTooLong(true, this.#longest);
      this.#begun = [Buffer.concat(this.#begun).subarray(0, KEPT)];
      this.#isCut = true;
    }
    const longest = this.#longest * LONGEST_OTHER;
    if (this.#begunBytes > longest) throw new LineTooLong(false, longest);
  }
}

function beginsAsMessage(parts: readonly Buffer[]): boolean {
  for (const part of parts) for (const byte of part) if (!BLANK.has(byte)) return byte === BRACE;
  return false;
}
