import { Socket } from 'node:net';
import pg from 'pg';
import type { ConnectionWatch } from './connection-watch.js';

/** How long closing a connection may take, in ms, before its socket is destroyed. */
const END_TIMEOUT_MS = 2_000;

type Query = (...given: readonly unknown[]) => unknown;
type Callback = (...given: readonly unknown[]) => void;
type End = (callback?: Callback) => Promise<void> | undefined;

/**
 * Connection that is closed if it waits for a response and receives nothing for too long. If a firewall or failover
 * drops packets without a reset, TCP alone takes many minutes to notice. Statements in progress fail, and their
 * outcome is unknown.
 */
export class WatchedClient extends pg.Client {
  readonly #socket: Socket;
  readonly #watch: ConnectionWatch;
  readonly #silenceMs: number;
  /** Number of statements that wait for a response. */
  #owed = 0;
  /** Bytes received until `#since`. Further bytes, such as those of a long result, prove that the connection works. */
  #received = 0;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param silenceMs how long the connection may receive nothing while it waits for a response */
  constructor(options: pg.ClientConfig, watch: ConnectionWatch, silenceMs: number) {
    const socket = new Socket();
    super({ ...options, stream: () => socket });
    this.#socket = socket;
    this.#watch = watch;
    this.#silenceMs = silenceMs;
    const query = this.query.bind(this) as Query;
    this.query = ((...given: readonly unknown[]) => this.#ask(query, given)) as pg.Client['query'];
    const end = this.end.bind(this) as End;
    this.end = ((callback?: Callback) => this.#end(end, callback)) as pg.Client['end'];
    this.once('connect', () => watch.add(this));
    this.once('end', () => {
      clearTimeout(this.#timer);
      watch.delete(this);
    });
  }

  get isWaiting(): boolean {
    return this.#owed > 0;
  }

  /**
   * Closes the socket, unless it has waited for a response for less than `sparedMs`. Statements in progress fail with
   * the error.
   *
   * @returns whether the socket was closed
   */
  giveUp(error: Error, sparedMs: number): boolean {
    if (this.#socket.bytesRead !== this.#received) this.#noteLife();
    if (this.#owed > 0 && performance.now() - this.#since < sparedMs) return false;
    this.#socket.destroy(error);
    return true;
  }

  #ask(query: Query, given: readonly unknown[]): unknown {
    this.#expectAnswer();
    const callback = given.at(-1);
    if (typeof callback === 'function') {
      return query(...given.slice(0, -1), (...result: readonly unknown[]) => {
        this.#owed -= 1;
        (callback as Callback)(...result);
      });
    }
    const result = query(...given);
    const answered = (): void => void (this.#owed -= 1);
    (result as Promise<unknown>).then(answered, answered);
    return result;
  }

  #expectAnswer(): void {
    if (this.#owed === 0) this.#noteLife();
    this.#owed += 1;
    this.#timer ??= this.#checkIn(this.#silenceMs);
  }

  #noteLife(): void {
    this.#received = this.#socket.bytesRead;
    this.#since = performance.now();
  }

  #checkIn(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      // After a pause of this process, the response may still be unread in the socket; it is read before setImmediate()
      // callbacks.
      setImmediate(() => this.#check());
    }, ms).unref();
  }

  #check(): void {
    this.#timer = undefined;
    if (this.#owed === 0) return;
    if (this.#socket.bytesRead !== this.#received) this.#noteLife();
    const left = this.#since + this.#silenceMs - performance.now();
    if (left <= 0) this.#watch.silent(this, this.#silenceMs);
    else this.#timer = this.#checkIn(left);
  }

  #end(end: End, callback?: Callback): Promise<void> | undefined {
    const hurry = (): NodeJS.Timeout =>
      setTimeout(() => (this.#owed > 0 ? (timer = hurry()) : this.#socket.destroy()), END_TIMEOUT_MS).unref();
    let timer = hurry();
    this.once('end', () => clearTimeout(timer));
    return callback === undefined ? end() : end(callback);
  }
}
