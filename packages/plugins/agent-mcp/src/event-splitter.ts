import { GrowingBuffer } from './growing-buffer.js';

const LF = 0x0a;
const CR = 0x0d;
/** Appended to complete an event: ends its last line, even if that line has no line end, and the event. */
const EVENT_END = Buffer.from('\n\n');

/** Thrown when an event of a stream exceeds the size limit. */
export class EventTooLargeError extends Error {
  constructor(maxBytes: number) {
    super(`The server sent a message of more than ${maxBytes} bytes.`);
  }
}

/**
 * Splits a stream of server-sent events (WHATWG HTML, 9.2) into complete events, each ending with an empty line.
 * The parser of the events never gets a partial event, which it would search again for each chunk, in quadratic time.
 */
export class EventSplitter {
  readonly #maxBytes: number;
  readonly #incomplete = new GrowingBuffer();
  #isLineEmpty = true;
  #isAfterCr = false;

  /** @param maxBytes maximum size of one event, in bytes */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Yields the events that a chunk completes, one at a time, because a chunk may complete a very large number of them.
   *
   * @throws {EventTooLargeError} if an event exceeds the size limit
   */
  *push(chunk: Buffer): Generator<Buffer> {
    let from = 0;
    for (let position = 0; position < chunk.length; position += 1) {
      const byte = chunk[position];
      // The second half of a CR LF, whose first half ended the line.
      const completesCrLf = byte === LF && this.#isAfterCr;
      this.#isAfterCr = byte === CR;
      if (completesCrLf) {
        if (this.#incomplete.length === 0 && position === from) from = position + 1;
      } else if (byte !== LF && byte !== CR) {
        this.#isLineEmpty = false;
      } else if (this.#isLineEmpty) {
        this.#append(chunk.subarray(from, position));
        from = position + 1;
        if (this.#incomplete.length > 0) yield this.#takeEvent();
      } else {
        this.#isLineEmpty = true;
      }
    }
    this.#append(chunk.subarray(from));
  }

  /** Returns the rest of the stream as an event: some servers do not terminate the last event. */
  end(): Buffer | undefined {
    return this.#incomplete.length === 0 ? undefined : this.#takeEvent();
  }

  #append(part: Buffer): void {
    this.#incomplete.append(part);
    if (this.#incomplete.length > this.#maxBytes) throw new EventTooLargeError(this.#maxBytes);
  }

  #takeEvent(): Buffer {
    this.#incomplete.append(EVENT_END);
    return this.#incomplete.take();
  }
}
