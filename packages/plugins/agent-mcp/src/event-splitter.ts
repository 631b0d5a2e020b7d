import { GrowingBuffer } from './growing-buffer.js';

const LF = 0x0a;
const CR = 0x0d;
/** Ends the last line of an event, regardless of its line end, and the event. */
const EVENT_END = Buffer.from('\n\n');

/** Thrown when an event of a stream exceeds the size limit. */
export class EventTooLarge extends Error {
  constructor(most: number) {
    super(`The server sent a message of more than ${most} bytes.`);
  }
}

/**
 * Splits a stream of server-sent events (WHATWG HTML, 9.2) into complete events, each ending with an empty line. A
 * parser of the events never gets a partial event, however small the chunks are: searching each chunk again would take
 * quadratic time.
 */
export class EventSplitter {
  readonly #most: number;
  readonly #begun = new GrowingBuffer();
  #isLineEmpty = true;
  #isAfterReturn = false;

  /** @param most maximum size of one event, in bytes */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Yields the events that a chunk completes one by one, because a chunk may complete as many events as it has bytes.
   *
   * @throws {EventTooLarge}
   */
  *push(chunk: Buffer): Generator<Buffer> {
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      // The second half of a CR LF, whose first half ended the line.
      const isHalf = byte === LF && this.#isAfterReturn;
      this.#isAfterReturn = byte === CR;
      if (isHalf) {
        if (this.#begun.length === 0 && at === from) from = at + 1;
      } else if (byte !== LF && byte !== CR) {
        this.#isLineEmpty = false;
      } else if (this.#isLineEmpty) {
        this.#take(chunk.subarray(from, at));
        from = at + 1;
        if (this.#begun.length > 0) yield this.#event();
      } else {
        this.#isLineEmpty = true;
      }
    }
    this.#take(chunk.subarray(from));
  }

  /** Returns the rest of the stream as an event: some servers do not end the last one. */
  end(): Buffer | undefined {
    return this.#begun.length === 0 ? undefined : this.#event();
  }

  #take(part: Buffer): void {
    this.#begun.append(part);
    if (this.#begun.length > this.#most) throw new EventTooLarge(this.#most);
  }

  #event(): Buffer {
    this.#begun.append(EVENT_END);
    return this.#begun.take();
  }
}
