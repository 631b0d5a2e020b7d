import { net, session, type ClientRequest, type IncomingMessage, type Session } from 'electron';

/** Returns a session that stores nothing on disk and shares nothing with the window: no cookies, cache or storage. */
export function apiSession(): Session {
  return session.fromPartition('countersign-api', { cache: false });
}

interface NetInit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>> | Headers;
  readonly body?: unknown;
  readonly signal?: AbortSignal | null;
}

/**
 * Fetches through the platform's network stack, so that the operating system's proxies and certificates apply. Follows
 * no redirect, which would forward the token, and sends and stores no cookies.
 *
 * @throws {TypeError} if no response arrives, like any fetch
 */
export async function netFetch(url: string, init: NetInit = {}): Promise<Response> {
  const { method = 'GET', signal } = init;
  if (signal?.aborted === true) throw abortError();
  const request = net.request({
    url,
    method,
    session: apiSession(),
    redirect: 'error',
    credentials: 'omit',
    useSessionCookies: false,
  });
  for (const [name, value] of Object.entries(
    init.headers instanceof Headers ? Object.fromEntries(init.headers.entries()) : (init.headers ?? {}),
  ))
    request.setHeader(name, value);
  const abort = (): void => request.abort();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const answer = answerOf(request, signal ?? undefined);
    const body = bytesOf(init.body);
    if (body !== undefined) request.write(body);
    request.end();
    const incoming = await answer;
    return new Response(
      hasNoBody(incoming.statusCode, method)
        ? null
        : streamOf(incoming, request, () => signal?.removeEventListener('abort', abort)),
      {
        status: incoming.statusCode,
        headers: headersOf(incoming),
      },
    );
  } catch (error) {
    signal?.removeEventListener('abort', abort);
    throw error;
  }
}

function answerOf(request: ClientRequest, signal: AbortSignal | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', resolve);
    request.on('error', (error) => reject(new TypeError('No response from the server.', { cause: error })));
    // Never prompts the user for a proxy or server password.
    request.on('login', (_info, give) => give());
    request.on('abort', () =>
      reject(signal?.aborted === true ? abortError() : new TypeError('The request was interrupted.')),
    );
  });
}

function streamOf(incoming: IncomingMessage, request: ClientRequest, done: () => void): ReadableStream<Uint8Array> {
  let over = false;
  const end = (): boolean => {
    if (over) return false;
    over = true;
    done();
    return true;
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      incoming.on('data', (chunk: Buffer) => !over && controller.enqueue(new Uint8Array(chunk)));
      incoming.on('end', () => end() && controller.close());
      incoming.on(
        'error',
        (error: Error) => end() && controller.error(new TypeError('The response was interrupted.', { cause: error })),
      );
      incoming.on('aborted', () => end() && controller.error(abortError()));
    },
    cancel() {
      if (end()) request.abort();
    },
  });
}

function headersOf(incoming: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers))
    for (const each of Array.isArray(value) ? value : [value]) headers.append(name, each);
  return headers;
}

/** @throws {TypeError} for body types that this application does not send */
function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof URLSearchParams) return Buffer.from(body.toString());
  if (body instanceof Uint8Array) return Buffer.from(body);
  throw new TypeError('The request body must be text or bytes.');
}

function hasNoBody(status: number, method: string): boolean {
  return method === 'HEAD' || status === 204 || status === 205 || status === 304;
}

function abortError(): Error {
  const error = new Error('The request was aborted.');
  error.name = 'AbortError';
  return error;
}
