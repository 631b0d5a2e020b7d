import { bodyContentTypes, type RouteDefinition } from '../define-route.js';
import { abortReason, backoffMs, sleep } from './backoff.js';
import { ConnectionError } from './connection-error.js';
import { platformFetch, type FetchInit, type FetchLike, type FetchResponse, type UploadBody } from './fetch-like.js';
import { newIdempotencyKey } from './idempotency-key.js';
import { ProblemError, problemOf } from './problem-error.js';
import { sendByToken, type TokenProvider } from './send-by-token.js';

export interface TransportOptions {
  /** Origin and, behind a proxy, prefix of the server; empty for the origin of the page. */
  readonly baseUrl: string;
  /** The bearer token, or the function that returns the valid one; called before each try. */
  readonly token?: string | TokenProvider;
  /** Default: the fetch of the platform. */
  readonly fetch?: FetchLike;
  /** How often to try again, where that is safe and promises to help. Default 2. */
  readonly retries?: number;
  /** The wait before the first retry, in ms; doubled for each further one. Default 250. */
  readonly retryDelayMs?: number;
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** For routes that take one; recreated for each call where it is left out. */
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

/** The longest wait that a server can ask for; beyond it the error goes to the caller. */
const MAX_RETRY_MS = 30_000;

/** Sends requests of routes: address, token, idempotency key, retries. */
export class Transport {
  private readonly base: string;

  constructor(private readonly options: TransportOptions) {
    this.base = options.baseUrl.replace(/\/+$/, '');
  }

  /**
   * Sends a request and gives what `read` makes of the response, if its status is one that the route
   * declares. An answer that breaks off while it is read counts as none.
   *
   * @throws {ProblemError} for any other status.
   * @throws {ConnectionError} where no complete answer arrived.
   */
  async send<T>(
    route: RouteDefinition,
    args: RouteArguments,
    options: RequestOptions,
    read: (response: FetchResponse) => T | Promise<T>,
  ): Promise<T> {
    // One key for all tries of this call: that is what makes them safe.
    const key = route.idempotent ? (options.idempotencyKey ?? newIdempotencyKey()) : undefined;
    const tries = route.method === 'get' || key !== undefined ? 1 + Math.max(0, this.options.retries ?? 2) : 1;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await read(await this.once(route, args, options, key));
      } catch (error) {
        const wait = this.waitBefore(attempt, error);
        if (options.signal?.aborted || attempt + 1 >= tries || wait === undefined) {
          throw error;
        }
        await sleep(wait, options.signal);
      }
    }
  }

  private once(
    route: RouteDefinition,
    args: RouteArguments,
    options: RequestOptions,
    key?: string,
  ): Promise<FetchResponse> {
    const { token } = this.options;
    return sendByToken(
      typeof token === 'function' ? token : () => token,
      (sent) => this.request(route, args, options, sent, key),
      !isStream(args.body),
    );
  }

  private async request(
    route: RouteDefinition,
    args: RouteArguments,
    options: RequestOptions,
    token: string | undefined,
    key: string | undefined,
  ): Promise<FetchResponse> {
    if (options.signal?.aborted) {
      throw abortReason(options.signal);
    }
    const contentType = args.contentType ?? bodyContentTypes(route)[0] ?? 'application/json';
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
    const request = (this.options.fetch ?? platformFetch)(this.base + addressOf(route, args), init);
    const response = await connected(request, options.signal);
    const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') ?? false;
    if (route.responses[response.status] && !isProblem) {
      return response;
    }
    throw await problemOf(response);
  }

  /** How long to wait before another try; `undefined` where it would not help. */
  private waitBefore(attempt: number, error: unknown): number | undefined {
    if (!isTransient(error)) {
      return undefined;
    }
    const asked = error instanceof ProblemError ? (error.retryAfterMs ?? 0) : 0;
    return asked > MAX_RETRY_MS
      ? undefined
      : asked + backoffMs(attempt, this.options.retryDelayMs ?? 250, MAX_RETRY_MS);
  }
}

/** Whether the same request may succeed later: a problem that says so, or no complete answer. */
export function isTransient(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof ProblemError && error.retryable);
}

/** Tells a broken connection from an abort, as each platform rejects with errors of its own. */
export async function connected<T>(io: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await io;
  } catch (error) {
    throw signal?.aborted ? abortReason(signal) : new ConnectionError(error);
  }
}

function addressOf(route: RouteDefinition, { params = {}, query = {} }: RouteArguments): string {
  const path = route.path.replace(/\{([^}]+)\}/g, (_, name: string) => segmentOf(name, params[name]));
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
 * @throws {TypeError} for `.` and `..`, which are taken out of an address, escaped or not (WHATWG URL, 4.1): another route
 * would be asked, with the caller's token. Nothing is called so.
 */
function segmentOf(name: string, value: unknown): string {
  const text = String(value);
  if (text === '.' || text === '..') throw new TypeError(`${name} cannot be "${text}": a path has no such segment.`);
  return encodeURIComponent(text);
}

function isStream(body: UploadBody | undefined): boolean {
  return typeof (body as { getReader?: unknown } | undefined)?.getReader === 'function';
}
