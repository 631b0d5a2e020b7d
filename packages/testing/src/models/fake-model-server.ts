import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { JsonObject } from '@countersign/core/plugin';

export interface FakeServerRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed JSON body; an empty object if the request has no body. */
  readonly body: JsonObject;
  /** Resolves when the client has disconnected or has received its response. */
  readonly closed: Promise<void>;
}

export type FakeServerHandler = (request: FakeServerRequest, response: ServerResponse) => void;

/** HTTP server, in the test process, that records requests and imitates a language model provider. */
export class FakeModelServer {
  readonly receivedRequests: FakeServerRequest[] = [];
  /**
   * Handlers of the next requests, one per request, used instead of the default handler, for example to simulate
   * faults.
   */
  readonly nextHandlers: FakeServerHandler[] = [];
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;
  private waiters: (() => void)[] = [];

  constructor(private readonly defaultHandler: FakeServerHandler) {
    this.server = createServer((request, response) => void this.handleRequest(request, response));
    this.server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
  }

  /** @returns the origin */
  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Waits until the request with this number (from 0) has arrived, and returns it. */
  async waitForRequest(number: number): Promise<FakeServerRequest> {
    for (;;) {
      const found = this.receivedRequests[number];
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.waiters.push(resolve));
    }
  }

  async close(): Promise<void> {
    if (!this.server.listening) return;
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private async handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { method = '', url: path = '', headers } = request;
    const closed = new Promise<void>((resolve) => response.once('close', () => resolve()));
    const received = { method, path, headers, body: (text === '' ? {} : JSON.parse(text)) as JsonObject, closed };
    this.receivedRequests.push(received);
    for (const resolve of this.waiters.splice(0)) resolve();
    (this.nextHandlers.shift() ?? this.defaultHandler)(received, response);
  }
}

/** Splits a text into pieces of equal length, to stream it like a language model. */
export function splitIntoPieces(text: string, length = 7): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  );
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
