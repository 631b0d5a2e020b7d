/** A line is longer than it may be. */
export class LineTooLong extends Error {}

/** Takes a stream of bytes apart into lines, and holds no more than one chunk and one line that is not complete. */
export class LineReader {
  readonly #longest: number;
  readonly #unread: Buffer[] = [];
  /** What has come of a line whose end has not. */
  #begun: Buffer[] = [];
  #begunBytes = 0;

  /** @param longest bytes that one line may have */
  constructor(longest: number) {
    this.#longest = longest;
  }

  push(chunk: Buffer): void {
    this.#unread.push(chunk);
  }

  /**
   * The next complete line, without its end; `undefined` where there is none yet.
   *
   * @throws {LineTooLong}
   */
  next(): string | undefined {
    for (let chunk = this.#unread.shift(); chunk !== undefined; chunk = this.#unread.shift()) {
      const end = chunk.indexOf(0x0a);
      const part = end < 0 ? chunk : chunk.subarray(0, end);
      this.#begunBytes += part.length;
      if (this.#begunBytes > this.#longest) throw new LineTooLong();
      this.#begun.push(part);
      if (end < 0) continue;
      if (end + 1 < chunk.length) this.#unread.unshift(chunk.subarray(end + 1));
      const line = Buffer.concat(this.#begun, this.#begunBytes).toString('utf8');
      this.#begun = [];
      this.#begunBytes = 0;
      return line.endsWith('\r') ? line.slice(0, -1) : line;
    }
    return undefined;
  }
}
