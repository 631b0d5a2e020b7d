import { getAbortReason, computeBackoffMs, sleep } from './backoff.js';
import { ConnectionError } from './connection-error.js';
import { platformFetch, type FetchInit, type FetchLike, type FetchResponse, type UploadBody } from './fetch-like.js';
import { createIdempotencyKey } from './idempotency-key.js';
import { ProblemError, readProblemError } from './problem-error.js';
import type { RouteCall } from './route-call.js';
import { sendWithToken, type TokenProvider } from './send-with-token.js';

export interface TransportOptions {
  /** Origin of the server, with the path prefix if it is behind a proxy; empty for the origin of the page. */
  readonly baseUrl: string;
  /** The bearer token, or a function that returns the current one and is called before each attempt. */
  readonly token?: string | TokenProvider;
  /** Default: the platform's fetch. */
  readonly fetch?: FetchLike;
  /** Maximum number of retries, for requests that are safe to retry and may then succeed. Default: 2. */
  readonly retries?: number;
  /** Maximum of the random delay before the first retry, in ms; doubled for each further retry. Default: 250. */
  readonly retryDelayMs?: number;
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** Key for routes that accept one. Default: a new key per call. */
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RouteArguments {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: UploadBody | undefined;
  readonly contentType?: string | undefined;
  readonly accept?: string;
}

/**
 * Maximum random delay before a retry, and maximum `Retry-After` that the client respects. If the server requests a
 * longer delay, the error is passed to the caller.
 */
const MAX_RETRY_DELAY_MS = 30_000;

/** Sends requests of routes: URL, token, idempotency key, retries. */
export class Transport {
  private readonly baseUrl: string;

  constructor(private readonly options: TransportOptions) {
    this.baseUrl = options.baseUrl.replace(/\/+$/, '');
  }

  /**
   * Sends a request and returns the result of `read` if the route declares the status of the response. A response that
   * breaks off while it is read counts as missing.
   *
   * @throws {ProblemError} for any other status
   * @throws {ConnectionError} if no complete response arrived
   */
  async send<T>(
    route: RouteCall,
    args: RouteArguments,
    options: RequestOptions,
    read: (response: FetchResponse) => T | Promise<T>,
  ): Promise<T> {
    // All attempts of this call share one key, which makes retries safe.
    const key = route.idempotent ? (options.idempotencyKey ?? createIdempotencyKey()) : undefined;
    const maxAttempts = route.method === 'get' || key !== undefined ? 1 + Math.max(0, this.options.retries ?? 2) : 1;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await read(await this.sendOnce(route, args, options, key));
      } catch (error) {
        const delayMs = this.computeRetryDelayMs(attempt, error);
        if (options.signal?.aborted || attempt + 1 >= maxAttempts || delayMs === undefined) {
          throw error;
        }
        await sleep(delayMs, options.signal);
      }
    }
  }

  private sendOnce(
    route: RouteCall,
    args: RouteArguments,
    options: RequestOptions,
    key?: string,
  ): Promise<FetchResponse> {
    const { token } = this.options;
    return sendWithToken(
      typeof token === 'function' ? token : () => token,
      (currentToken) => this.request(route, args, options, currentToken, key),
      !isStream(args.body),
    );
  }

  private async request(
    route: RouteCall,
    args: RouteArguments,
    options: RequestOptions,
    token: string | undefined,
    key: string | undefined,
  ): Promise<FetchResponse> {
    if (options.signal?.aborted) {
      throw getAbortReason(options.signal);
    }
    const contentType = args.contentType ?? route.contentType ?? 'application/json';
    const init: FetchInit = {
      method: route.method.toUpperCase(),
      headers: {
        accept: args.accept ?? 'application/json, application/problem+json',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(args.body === undefined ? {} : { 'content-type': contentType }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...options.headers,
      },
      ...(args.body === undefined ? {} : { body: args.body }),
      ...(isStream(args.body) ? { duplex: 'half' as const } : {}),
      ...(options.signal ? { signal: options.signal } : {}),
    };
    const request = (this.options.fetch ?? platformFetch)(this.baseUrl + buildPath(route, args), init);
    const response = await withConnectionError(request, options.signal);
    const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') ?? false;
    if (route.statuses.includes(response.status) && !isProblem) {
      return response;
    }
    throw await readProblemError(response);
  }

  /** Returns the delay before a retry; `undefined` if a retry would not help. */
  private computeRetryDelayMs(attempt: number, error: unknown): number | undefined {
    if (!isTransient(error)) {
      return undefined;
    }
    const retryAfterMs = error instanceof ProblemError ? (error.retryAfterMs ?? 0) : 0;
    return retryAfterMs > MAX_RETRY_DELAY_MS
      ? undefined
      : retryAfterMs + computeBackoffMs(attempt, this.options.retryDelayMs ?? 250, MAX_RETRY_DELAY_MS);
  }
}

/** Returns whether the same request may succeed later: a retryable problem, or no complete response. */
export function isTransient(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof ProblemError && error.retryable);
}

/**
 * Returns the result of an I/O operation. Throws the abort reason if the signal is aborted, and otherwise a {@link
 * ConnectionError}, because each platform rejects with different errors.
 */
export async function withConnectionError<T>(io: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await io;
  } catch (error) {
    throw signal?.aborted ? getAbortReason(signal) : new ConnectionError(error);
  }
}

function buildPath(route: RouteCall, { params = {}, query = {} }: RouteArguments): string {
  const path = route.path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeSegment(name, params[name]));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null) {
        search.append(name, String(item));
      }
    }
  }
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

/**
 * Encodes a path segment.
 *
 * @throws {TypeError} for `.` and `..`, which URL parsers remove, escaped or not (WHATWG URL, 4.1): the request, with
 * the caller's token, would go to another route
 */
function encodeSegment(name: string, value: unknown): string {
  const text = String(value);
  if (text === '.' || text === '..')
    throw new TypeError(`${name} cannot be "${text}": URL parsers remove this path segment.`);
  return encodeURIComponent(text);
}

function isStream(body: UploadBody | undefined): boolean {
  return typeof (body as { getReader?: unknown } | undefined)?.getReader === 'function';
}
