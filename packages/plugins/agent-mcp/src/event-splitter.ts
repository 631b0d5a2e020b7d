import { GrowingBuffer } from './growing-buffer.js';

const LF = 0x0a;
const CR = 0x0d;
/** Ends the last line of an event, whatever ended it, and the event. */
const EVENT_END = Buffer.from('\n\n');

/** An event of a stream is larger than it may be. */
export class EventTooLarge extends Error {
  constructor(most: number) {
    super(`It sends a message of more than ${most} bytes.`);
  }
}

/**
 * Takes a stream of server-sent events (WHATWG HTML, 9.2) apart into whole events, each with an empty line at its end. Who
 * reads them gets no part of one, however small the parts are in which they come: to look for the end of each part anew
 * would take the square of their number.
 */
export class EventSplitter {
  readonly #most: number;
  readonly #begun = new GrowingBuffer();
  #isLineEmpty = true;
  #isAfterReturn = false;

  /** @param most bytes that one event may have */
  constructor(most: number) {
    this.#most = most;
  }

  /** The events that a chunk ends, one by one: there may be as many as bytes. @throws {EventTooLarge} */
  *push(chunk: Buffer): Generator<Buffer> {
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      // The second half of a line end, whose first half has ended the line.
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

  /** What the stream has ended with, as if it were an event: some don't end the last one. */
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
