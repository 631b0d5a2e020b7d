const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING_BRACKETS: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING_BRACKETS: ReadonlySet<number> = new Set([0x5d, 0x7d]);
/** White space, and the bytes of a byte-order mark. */
const BLANK_BYTES: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

/**
 * Finds the end of a JSON object or array that arrives in parts. It does not validate: only brackets and strings
 * matter. Each byte is read once, however small the parts are.
 */
export class JsonEndFinder {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** Whether the value has ended, or is neither an object nor an array. */
  #hasEnded = false;

  /**
   * Reads a part.
   *
   * @returns the number of bytes up to the end of the value; `undefined` if the value does not end in this part
   */
  push(part: Buffer): number | undefined {
    if (this.#hasEnded) return undefined;
    for (const [index, byte] of part.entries()) {
      if (this.#isInString) this.#readStringByte(byte);
      else if (byte === QUOTE && this.#depth > 0) this.#isInString = true;
      else if (OPENING_BRACKETS.has(byte)) this.#depth += 1;
      else if (CLOSING_BRACKETS.has(byte)) this.#depth -= 1;
      else if (this.#depth === 0 && BLANK_BYTES.has(byte)) continue;
      if (this.#depth > 0) continue;
      this.#hasEnded = true;
      return CLOSING_BRACKETS.has(byte) && this.#depth === 0 ? index + 1 : undefined;
    }
    return undefined;
  }

  #readStringByte(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInString = false;
  }
}
