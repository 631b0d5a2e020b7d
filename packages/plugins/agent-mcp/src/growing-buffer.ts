/** Collects bytes from parts of any size, in at most twice the memory of the content. */
export class GrowingBuffer {
  #bytes = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(part: Buffer): void {
    const length = this.#length + part.length;
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    part.copy(this.#bytes, this.#length);
    this.#length = length;
  }

  /** Returns the content and keeps it. */
  peek(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Returns the content and clears the buffer. */
  take(): Buffer {
    const content = this.peek();
    this.#bytes = Buffer.alloc(0);
    this.#length = 0;
    return content;
  }
}
