import type { Readable } from 'node:stream';

/** A second is measured out in parts, so that what it allows does not come all at once. */
const WINDOW_MS = 100;
const WINDOWS_IN_A_SECOND = 1_000 / WINDOW_MS;

export interface StreamRates {
  readonly bytesPerSecond: number;
  readonly messagesPerSecond: number;
  /** How long the stream may be at a bound without a break, in milliseconds. */
  readonly patienceMs: number;
}

export interface StreamUser {
  take(chunk: Buffer): void;
  /** Uses one message of what was taken. @returns whether there was one */
  useOne(): boolean;
  /** The stream has been at a bound for longer than it may. Nothing more is read of it. */
  onFlood(bound: 'bytes' | 'messages'): void;
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
  /** Windows one after the other whose share was used up. */
  #usedUp = 0;
  #cancel: (() => void) | undefined;
  #isStopped = false;

  constructor(stream: Readable, rates: StreamRates, user: StreamUser, schedule: Schedule = byTimer) {
    this.#stream = stream;
    this.#rates = rates;
    this.#user = user;
    this.#schedule = schedule;
    this.#bytesLeft = this.#bytesPerWindow;
    this.#messagesLeft = this.#maxMessages;
    stream.on('data', (chunk: Buffer) => {
      if (this.#isStopped) return;
      this.#bytesLeft -= chunk.length;
      user.take(chunk);
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

  get #isUsedUp(): boolean {
    return this.#bytesLeft <= 0 || this.#messagesLeft < 1;
  }

  #use(): void {
    while (!this.#isStopped && this.#messagesLeft >= 1 && this.#user.useOne()) this.#messagesLeft -= 1;
    if (this.#isStopped) return;
    if (this.#isUsedUp) this.#stream.pause();
    else this.#stream.resume();
    this.#cancel ??= this.#schedule(() => this.#nextWindow(), WINDOW_MS);
  }

  #nextWindow(): void {
    this.#cancel = undefined;
    const wasIdle = this.#bytesLeft === this.#bytesPerWindow && this.#messagesLeft === this.#maxMessages;
    const bound = this.#bytesLeft <= 0 ? 'bytes' : 'messages';
    this.#usedUp = this.#isUsedUp ? this.#usedUp + 1 : 0;
    if (this.#usedUp * WINDOW_MS >= this.#rates.patienceMs) {
      this.stop();
      this.#user.onFlood(bound);
      return;
    }
    // A chunk may have taken more than its window had: the next ones make up for it.
    this.#bytesLeft = Math.min(this.#bytesPerWindow, this.#bytesLeft + this.#bytesPerWindow);
    this.#messagesLeft = Math.min(
      this.#maxMessages,
      this.#messagesLeft + this.#rates.messagesPerSecond / WINDOWS_IN_A_SECOND,
    );
    if (!wasIdle) this.#use();
  }
}

function byTimer(work: () => void, milliseconds: number): () => void {
  const timer = setTimeout(work, milliseconds);
  return () => clearTimeout(timer);
}
