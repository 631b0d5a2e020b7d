import { Socket } from 'node:net';
import pg from 'pg';
import type { ConnectionWatch } from './connection-watch.js';

/**
 * Time in ms after which the socket of a connection that is being closed is destroyed. It is extended while statements
 * are in progress.
 */
const END_TIMEOUT_MS = 2_000;

type Query = (...args: readonly unknown[]) => unknown;
type Callback = (...args: readonly unknown[]) => void;
type End = (callback?: Callback) => Promise<void> | undefined;

/**
 * Connection that is closed if it waits for a response and receives nothing for too long. If a firewall or failover
 * drops packets without a reset, TCP alone takes many minutes to notice. Statements in progress fail, and their
 * outcome is unknown.
 */
export class WatchedClient extends pg.Client {
  readonly #socket: Socket;
  readonly #connectionWatch: ConnectionWatch;
  readonly #silenceMs: number;
  /** Number of statements that wait for a response. */
  #pendingCount = 0;
  /**
   * Bytes received until `#activeAt`. Further bytes, such as those of a long result, prove that the connection works.
   */
  #bytesReceived = 0;
  #activeAt = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param silenceMs maximum time in ms for which the connection may receive nothing while it waits for a response */
  constructor(options: pg.ClientConfig, watch: ConnectionWatch, silenceMs: number) {
    const socket = new Socket();
    super({ ...options, stream: () => socket });
    this.#socket = socket;
    this.#connectionWatch = watch;
    this.#silenceMs = silenceMs;
    const query = this.query.bind(this) as Query;
    this.query = ((...args: readonly unknown[]) => this.#runQuery(query, args)) as pg.Client['query'];
    const end = this.end.bind(this) as End;
    this.end = ((callback?: Callback) => this.#end(end, callback)) as pg.Client['end'];
    this.once('connect', () => watch.add(this));
    this.once('end', () => {
      clearTimeout(this.#timer);
      watch.delete(this);
    });
  }

  get isWaiting(): boolean {
    return this.#pendingCount > 0;
  }

  /**
   * Closes the socket, unless it is waiting for a response and was active less than `recentMs` ago. Statements in
   * progress fail with the error.
   *
   * @returns whether the socket was closed
   */
  destroyUnlessActive(error: Error, recentMs: number): boolean {
    if (this.#socket.bytesRead !== this.#bytesReceived) this.#recordActivity();
    if (this.#pendingCount > 0 && performance.now() - this.#activeAt < recentMs) return false;
    this.#socket.destroy(error);
    return true;
  }

  #runQuery(query: Query, args: readonly unknown[]): unknown {
    this.#onQuerySent();
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      return query(...args.slice(0, -1), (...result: readonly unknown[]) => {
        this.#pendingCount -= 1;
        (callback as Callback)(...result);
      });
    }
    const result = query(...args);
    const onSettled = (): void => void (this.#pendingCount -= 1);
    (result as Promise<unknown>).then(onSettled, onSettled);
    return result;
  }

  #onQuerySent(): void {
    if (this.#pendingCount === 0) this.#recordActivity();
    this.#pendingCount += 1;
    this.#timer ??= this.#scheduleCheck(this.#silenceMs);
  }

  #recordActivity(): void {
    this.#bytesReceived = this.#socket.bytesRead;
    this.#activeAt = performance.now();
  }

  #scheduleCheck(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      // After a pause of this process, the response may still be unread in the socket; it is read before setImmediate()
      // callbacks.
      setImmediate(() => this.#check());
    }, ms).unref();
  }

  #check(): void {
    this.#timer = undefined;
    if (this.#pendingCount === 0) return;
    if (this.#socket.bytesRead !== this.#bytesReceived) this.#recordActivity();
    const remainingMs = this.#activeAt + this.#silenceMs - performance.now();
    if (remainingMs <= 0) this.#connectionWatch.onSilence(this, this.#silenceMs);
    else this.#timer = this.#scheduleCheck(remainingMs);
  }

  #end(end: End, callback?: Callback): Promise<void> | undefined {
    const scheduleDestroy = (): NodeJS.Timeout =>
      setTimeout(
        () => (this.#pendingCount > 0 ? (timer = scheduleDestroy()) : this.#socket.destroy()),
        END_TIMEOUT_MS,
      ).unref();
    let timer = scheduleDestroy();
    this.once('end', () => clearTimeout(timer));
    return callback === undefined ? end() : end(callback);
  }
}
