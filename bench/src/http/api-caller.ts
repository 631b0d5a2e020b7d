import { Agent, request, type IncomingMessage } from 'node:http';

const MIN_ERROR_STATUS = 300;

/**
 * Client of the API over persistent connections. Plain `node:http`, because the driver shares the machine with the
 * server.
 */
export class ApiCaller {
  /** Number of requests sent so far. */
  requestCount = 0;
  private readonly agent = new Agent({ keepAlive: true });

  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  async get(path: string): Promise<unknown> {
    return parseResponse(await this.send('GET', path), path);
  }

  async post(path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
    return parseResponse(await this.send('POST', path, JSON.stringify(body), headers), path);
  }

  /** Yields the lines of a stream until the signal aborts. */
  async *streamLines(path: string, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    const response = await this.send('GET', path, undefined, {}, signal);
    response.setEncoding('utf8');
    let rest = '';
    try {
      for await (const chunk of response as AsyncIterable<string>) {
        const lines = `${rest}${chunk}`.split('\n');
        rest = lines.pop() ?? '';
        yield* lines;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  close(): void {
    this.agent.destroy();
  }

  private send(
    method: string,
    path: string,
    body?: string,
    headers: Readonly<Record<string, string>> = {},
    signal?: AbortSignal,
  ): Promise<IncomingMessage> {
    this.requestCount += 1;
    return new Promise((resolve, reject) => {
      const contentHeaders =
        body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const options = {
        agent: this.agent,
        method,
        headers: { ...headers, ...contentHeaders, authorization: `Bearer ${this.token}` },
        signal,
      };
      request(`${this.url}${path}`, options, resolve).on('error', reject).end(body);
    });
  }
}

async function parseResponse(response: IncomingMessage, path: string): Promise<unknown> {
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response as AsyncIterable<string>) text += chunk;
  if ((response.statusCode ?? MIN_ERROR_STATUS) >= MIN_ERROR_STATUS)
    throw new Error(`${path} responded with ${response.statusCode}: ${text}`);
  return JSON.parse(text) as unknown;
}
