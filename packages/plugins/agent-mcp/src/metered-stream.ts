import type { Readable } from 'node:stream';

/** A second is measured out in parts, so that what it allows does not come all at once. */
const WINDOW_MS = 100;
/** What each chunk counts at least, in bytes: single bytes are work, too. */
const MIN_CHUNK = 256;
const WINDOWS_IN_A_SECOND = 1_000 / WINDOW_MS;

export interface StreamRates {
  readonly bytesPerSecond: number;
  readonly messagesPerSecond: number;
  /** Of lines that are no messages, which cost little to pass over. */
  readonly othersPerSecond: number;
  /** How long the stream may be at a bound without a break, in milliseconds. */
  readonly patienceMs: number;
}

/** What was used of a stream: a message, what looked like one, or a line that is none. */
export type Used = 'message' | 'broken' | 'other';
export type Bound = 'bytes' | 'messages' | 'others';

export interface StreamUser {
  take(chunk: Buffer): void;
  /** Uses one line of what was taken. `undefined`: there was none. */
  useOne(): Used | undefined;
  /**
   * The stream has been at a bound for longer than it may.
   *
   * @param isNoise whether most of what came in the meantime were no messages
   * @returns whether it is borne with for as long again; otherwise nothing more is read of it
   */
  onFlood(bound: Bound, isNoise: boolean): boolean;
  /** The stream has ended, and all that it had was used. */
  onEnd?(): void;
}

/** Calls back after some milliseconds. @returns what cancels it */
export type Schedule = (work: () => void, milliseconds: number) => () => void;

/**
 * Reads a stream no faster than its rates: for the rest of a window whose share is used up, the stream is paused, so that
 * its writer waits and nothing piles up here.
 */
export class MeteredStream {
  readonly #stream: Readable;
  readonly #rates: StreamRates;
  readonly #user: StreamUser;
  readonly #schedule: Schedule;
  #bytesLeft: number;
  #messagesLeft: number;
  #othersLeft: number;
  /** Windows one after the other whose share was used up. */
  #usedUp = 0;
  /** What was used in these windows. */
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

  /** Reads no more. */
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
    // A chunk may have taken more than its window had: the next ones make up for it.
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
