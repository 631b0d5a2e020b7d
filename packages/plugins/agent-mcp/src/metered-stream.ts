import type { Readable } from 'node:stream';

/** A second is divided into windows, so that its allowance is not used up immediately. */
const WINDOW_MS = 100;
/** Minimum cost of a chunk, in bytes: even single bytes cost work. */
const MIN_CHUNK_BYTES = 256;
const WINDOWS_PER_SECOND = 1_000 / WINDOW_MS;

export interface StreamRates {
  readonly bytesPerSecond: number;
  readonly messagesPerSecond: number;
  /** Rate of lines that are not messages, which are cheap to skip. */
  readonly otherLinesPerSecond: number;
  /** How long the stream may continuously exceed a bound, in milliseconds. */
  readonly patienceMs: number;
}

/** The kind of a consumed line: a message, an invalid message, or not a message. */
export type LineKind = 'message' | 'broken' | 'other';
export type Bound = 'bytes' | 'messages' | 'others';

export interface StreamConsumer {
  take(chunk: Buffer): void;
  /** Consumes one line of the data and returns its kind; `undefined` if there is no complete line. */
  consumeLine(): LineKind | undefined;
  /**
   * Called when the stream exceeded a bound for longer than allowed.
   *
   * @param isNoise whether there were no messages in that time, or more other lines than messages
   * @returns whether to tolerate it for the same time again; otherwise the stream is no longer read
   */
  onFlood(bound: Bound, isNoise: boolean): boolean;
  /** Called when the stream has ended and all its data was consumed. */
  onEnd?(): void;
}

/**
 * A function that schedules a call after some milliseconds.
 *
 * @returns a function that cancels the call
 */
export type Schedule = (work: () => void, milliseconds: number) => () => void;

/**
 * Reads a stream no faster than its rates: when the share of a window is used up, the stream is paused until the next
 * one, so that the writer waits and no data accumulates here.
 */
export class MeteredStream {
  readonly #stream: Readable;
  readonly #rates: StreamRates;
  readonly #consumer: StreamConsumer;
  readonly #schedule: Schedule;
  #bytesLeft: number;
  #messagesLeft: number;
  #otherLinesLeft: number;
  /** Number of consecutive windows whose share was used up. */
  #exceededWindows = 0;
  /** Number of messages that were consumed in these windows. */
  #messageCount = 0;
  /** Number of all other lines that were consumed in these windows, including invalid messages. */
  #noiseCount = 0;
  #cancel: (() => void) | undefined;
  #isStopped = false;
  #hasEnded = false;

  constructor(stream: Readable, rates: StreamRates, consumer: StreamConsumer, schedule: Schedule = scheduleByTimer) {
    this.#stream = stream;
    this.#rates = rates;
    this.#consumer = consumer;
    this.#schedule = schedule;
    this.#bytesLeft = this.#bytesPerWindow;
    this.#messagesLeft = this.#maxMessages;
    this.#otherLinesLeft = this.#maxOtherLines;
    stream.on('data', (chunk: Buffer) => {
      if (this.#isStopped) return;
      this.#bytesLeft -= Math.max(chunk.length, MIN_CHUNK_BYTES);
      consumer.take(chunk);
      this.#consume();
    });
    stream.on('end', () => {
      this.#hasEnded = true;
      this.#consume();
    });
  }

  /** Stops reading. */
  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
    this.#stream.pause();
  }

  get #bytesPerWindow(): number {
    return this.#rates.bytesPerSecond / WINDOWS_PER_SECOND;
  }

  get #maxMessages(): number {
    return Math.max(1, this.#rates.messagesPerSecond / WINDOWS_PER_SECOND);
  }

  get #maxOtherLines(): number {
    return Math.max(1, this.#rates.otherLinesPerSecond / WINDOWS_PER_SECOND);
  }

  get #bound(): Bound | undefined {
    if (this.#bytesLeft <= 0) return 'bytes';
    if (this.#messagesLeft < 1) return 'messages';
    return this.#otherLinesLeft < 1 ? 'others' : undefined;
  }

  #consume(): void {
    while (!this.#isStopped && this.#messagesLeft >= 1 && this.#otherLinesLeft >= 1) {
      const lineKind = this.#consumer.consumeLine();
      if (lineKind === undefined) {
        if (this.#hasEnded) return this.#finish();
        break;
      }
      if (lineKind === 'other') this.#otherLinesLeft -= 1;
      else this.#messagesLeft -= 1;
      if (lineKind === 'message') this.#messageCount += 1;
      else this.#noiseCount += 1;
    }
    if (this.#isStopped) return;
    if (this.#bound !== undefined) this.#stream.pause();
    else this.#stream.resume();
    this.#cancel ??= this.#schedule(() => this.#nextWindow(), WINDOW_MS);
  }

  #finish(): void {
    this.stop();
    this.#consumer.onEnd?.();
  }

  #nextWindow(): void {
    this.#cancel = undefined;
    const wasIdle =
      this.#bytesLeft === this.#bytesPerWindow &&
      this.#messagesLeft === this.#maxMessages &&
      this.#otherLinesLeft === this.#maxOtherLines;
    const bound = this.#bound;
    if (bound === undefined) this.#resetCounters();
    else this.#exceededWindows += 1;
    if (bound !== undefined && this.#exceededWindows * WINDOW_MS >= this.#rates.patienceMs) {
      if (!this.#consumer.onFlood(bound, this.#messageCount === 0 || this.#noiseCount > this.#messageCount))
        return this.stop();
      this.#resetCounters();
    }
    // A chunk may exceed the share of its window; the next windows compensate for it.
    this.#bytesLeft = Math.min(this.#bytesPerWindow, this.#bytesLeft + this.#bytesPerWindow);
    this.#messagesLeft = Math.min(
      this.#maxMessages,
      this.#messagesLeft + this.#rates.messagesPerSecond / WINDOWS_PER_SECOND,
    );
    this.#otherLinesLeft = Math.min(
      this.#maxOtherLines,
      this.#otherLinesLeft + this.#rates.otherLinesPerSecond / WINDOWS_PER_SECOND,
    );
    if (!wasIdle) this.#consume();
  }

  #resetCounters(): void {
    this.#exceededWindows = 0;
    this.#messageCount = 0;
    this.#noiseCount = 0;
  }
}

function scheduleByTimer(work: () => void, milliseconds: number): () => void {
  const timer = setTimeout(work, milliseconds);
  return () => clearTimeout(timer);
}
