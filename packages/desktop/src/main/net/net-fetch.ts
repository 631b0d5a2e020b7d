import { net, session, type ClientRequest, type IncomingMessage, type Session } from 'electron';

/** Returns a session that stores nothing on disk and shares nothing with the window: no cookies, cache or storage. */
export function getApiSession(): Session {
  return session.fromPartition('countersign-api', { cache: false });
}

interface NetInit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>> | Headers;
  readonly body?: unknown;
  readonly signal?: AbortSignal | null;
}

/**
 * Fetches through Chromium's network stack, so that the operating system's proxies and certificates apply. Follows no
 * redirect, which would forward the token, and sends and stores no cookies.
 *
 * @throws {TypeError} if no response arrives, like any fetch
 */
export async function netFetch(url: string, init: NetInit = {}): Promise<Response> {
  const { method = 'GET', signal } = init;
  if (signal?.aborted === true) throw createAbortError();
  const request = net.request({
    url,
    method,
    session: getApiSession(),
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
    const pendingResponse = waitForResponse(request, signal ?? undefined);
    const body = toBytes(init.body);
    if (body !== undefined) request.write(body);
    request.end();
    const incoming = await pendingResponse;
    return new Response(
      hasNoBody(incoming.statusCode, method)
        ? null
        : toStream(incoming, request, () => signal?.removeEventListener('abort', abort)),
      {
        status: incoming.statusCode,
        headers: toHeaders(incoming),
      },
    );
  } catch (error) {
    signal?.removeEventListener('abort', abort);
    throw error;
  }
}

function waitForResponse(request: ClientRequest, signal: AbortSignal | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', resolve);
    request.on('error', (error) => reject(new TypeError('No response from the server.', { cause: error })));
    // Never prompts the user for a proxy or server password.
    request.on('login', (_info, provideCredentials) => provideCredentials());
    request.on('abort', () =>
      reject(signal?.aborted === true ? createAbortError() : new TypeError('The request was interrupted.')),
    );
  });
}

function toStream(incoming: IncomingMessage, request: ClientRequest, onEnd: () => void): ReadableStream<Uint8Array> {
  let hasEnded = false;
  const end = (): boolean => {
    if (hasEnded) return false;
    hasEnded = true;
    onEnd();
    return true;
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      incoming.on('data', (chunk: Buffer) => !hasEnded && controller.enqueue(new Uint8Array(chunk)));
      incoming.on('end', () => end() && controller.close());
      incoming.on(
        'error',
        (error: Error) => end() && controller.error(new TypeError('The response was interrupted.', { cause: error })),
      );
      incoming.on('aborted', () => end() && controller.error(createAbortError()));
    },
    cancel() {
      if (end()) request.abort();
    },
  });
}

function toHeaders(incoming: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers))
    for (const each of Array.isArray(value) ? value : [value]) headers.append(name, each);
  return headers;
}

/** @throws {TypeError} for body types that this application does not send */
function toBytes(body: unknown): Buffer | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof URLSearchParams) return Buffer.from(body.toString());
  if (body instanceof Uint8Array) return Buffer.from(body);
  throw new TypeError('The request body must be text or bytes.');
}

function hasNoBody(status: number, method: string): boolean {
  return method === 'HEAD' || status === 204 || status === 205 || status === 304;
}

function createAbortError(): Error {
  const error = new Error('The request was aborted.');
  error.name = 'AbortError';
  return error;
}
