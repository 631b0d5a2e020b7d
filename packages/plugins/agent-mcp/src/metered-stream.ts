import type { Readable } from 'node:stream';

/** A second is divided into windows, so that its allowance is not used up at once. */
const WINDOW_MS = 100;
/** Minimum cost of a chunk, in bytes: even single bytes cost work. */
const MIN_CHUNK = 256;
const WINDOWS_IN_A_SECOND = 1_000 / WINDOW_MS;

export interface StreamRates {
  readonly bytesPerSecond: number;
  readonly messagesPerSecond: number;
  /** Rate of lines that are not messages, which are cheap to skip. */
  readonly othersPerSecond: number;
  /** How long the stream may continuously exceed a bound, in milliseconds. */
  readonly patienceMs: number;
}

/** The kind of a used line: a message, an invalid message, or not a message. */
export type Used = 'message' | 'broken' | 'other';
export type Bound = 'bytes' | 'messages' | 'others';

export interface StreamUser {
  take(chunk: Buffer): void;
  /** Uses one line of the data; `undefined` if there is none. */
  useOne(): Used | undefined;
  /**
   * Called when the stream exceeded a bound for longer than allowed.
   *
   * @param isNoise whether most of the data in that time were not messages
   * @returns whether to tolerate it for the same time again; otherwise the stream is no longer read
   */
  onFlood(bound: Bound, isNoise: boolean): boolean;
  /** Called when the stream has ended and all its data was used. */
  onEnd?(): void;
}

/**
 * Calls back after some milliseconds.
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
  readonly #user: StreamUser;
  readonly #schedule: Schedule;
  #bytesLeft: number;
  #messagesLeft: number;
  #othersLeft: number;
  /** Number of consecutive windows whose share was used up. */
  #usedUp = 0;
  /** Messages that were used in these windows. */
  #messages = 0;
  #noise = 0;
  #cancel: (() => void) | undefined;
  #isStopped = false;
  #hasEnded = false;

  constructor(stream: Readable, rates: StreamRates, user: StreamUser, schedule: Schedule = byTimer) {
    this.#stream = stream;
    this.#rates = rates;
    this.#user = user;
    this.#schedule = schedule;
    this.#bytesLeft = this.#bytesPerWindow;
    this.#messagesLeft = this.#maxMessages;
    this.#othersLeft = this.#maxOthers;
    stream.on('data', (chunk: Buffer) => {
      if (this.#isStopped) return;
      this.#bytesLeft -= Math.max(chunk.length, MIN_CHUNK);
      user.take(chunk);
      this.#use();
    });
    stream.on('end', () => {
      this.#hasEnded = true;
      this.#use();
    });
  }

  /** Stops reading. */
  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
    this.#stream.pause();
  }

  get #bytesPerWindow(): number {
    return this.#rates.bytesPerSecond / WINDOWS_IN_A_SECOND;
  }

  get #maxMessages(): number {
    return Math.max(1, this.#rates.messagesPerSecond / WINDOWS_IN_A_SECOND);
  }

  get #maxOthers(): number {
    return Math.max(1, this.#rates.othersPerSecond / WINDOWS_IN_A_SECOND);
  }

  get #bound(): Bound | undefined {
    if (this.#bytesLeft <= 0) return 'bytes';
    if (this.#messagesLeft < 1) return 'messages';
    return this.#othersLeft < 1 ? 'others' : undefined;
  }

  #use(): void {
    while (!this.#isStopped && this.#messagesLeft >= 1 && this.#othersLeft >= 1) {
      const used = this.#user.useOne();
      if (used === undefined) {
        if (this.#hasEnded) return this.#end();
        break;
      }
      if (used === 'other') this.#othersLeft -= 1;
      else this.#messagesLeft -= 1;
      if (used === 'message') this.#messages += 1;
      else this.#noise += 1;
    }
    if (this.#isStopped) return;
    if (this.#bound !== undefined) this.#stream.pause();
    else this.#stream.resume();
    this.#cancel ??= this.#schedule(() => this.#nextWindow(), WINDOW_MS);
  }

  #end(): void {
    this.stop();
    this.#user.onEnd?.();
  }

  #nextWindow(): void {
    this.#cancel = undefined;
    const wasIdle =
      this.#bytesLeft === this.#bytesPerWindow &&
      this.#messagesLeft === this.#maxMessages &&
      this.#othersLeft === this.#maxOthers;
    const bound = this.#bound;
    if (bound === undefined) this.#beginAgain();
    else this.#usedUp += 1;
    if (bound !== undefined && this.#usedUp * WINDOW_MS >= this.#rates.patienceMs) {
      if (!this.#user.onFlood(bound, this.#messages === 0 || this.#noise > this.#messages)) return this.stop();
      this.#beginAgain();
    }
    // A chunk may exceed the share of its window; the next windows compensate for it.
    this.#bytesLeft = Math.min(this.#bytesPerWindow, this.#bytesLeft + this.#bytesPerWindow);
    this.#messagesLeft = Math.min(
      this.#maxMessages,
      this.#messagesLeft + this.#rates.messagesPerSecond / WINDOWS_IN_A_SECOND,
    );
    this.#othersLeft = Math.min(this.#maxOthers, this.#othersLeft + this.#rates.othersPerSecond / WINDOWS_IN_A_SECOND);
    if (!wasIdle) this.#use();
  }

  #beginAgain(): void {
    this.#usedUp = 0;
    this.#messages = 0;
    this.#noise = 0;
  }
}

function byTimer(work: () => void, milliseconds: number): () => void {
  const timer = setTimeout(work, milliseconds);
  return () => clearTimeout(timer);
}
