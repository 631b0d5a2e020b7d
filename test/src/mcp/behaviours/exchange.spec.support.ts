import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { ServiceCall } from '../../connectors/connectors.spec.support.js';

export type Id = string | number;

/** Message that a server receives. */
export interface Message {
  readonly id?: Id;
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly cursor?: string;
    readonly protocolVersion?: string;
    readonly arguments?: Readonly<Record<string, unknown>>;
  };
  readonly result?: unknown;
  readonly error?: unknown;
}

/** State of one server. */
export interface ServerMemory {
  session: string;
  /** Queries for which a one-time behaviour has already happened. */
  readonly seenQueries: Set<string>;
  /** Handlers that wait for the reply to a request of the server, by request id. */
  readonly replyHandlers: Map<unknown, (reply: Message) => void>;
  /** Response to the call whose stream was interrupted. */
  undeliveredResponse?: object;
}

export const createServerMemory = (): ServerMemory => ({
  session: randomUUID(),
  seenQueries: new Set(),
  replyHandlers: new Map(),
});

/** Message received over HTTP, with methods to respond to it. */
export class Exchange {
  readonly message: Message;

  constructor(
    readonly call: ServiceCall,
    readonly response: ServerResponse,
    readonly memory: ServerMemory,
  ) {
    this.message = (call.body === '' ? {} : JSON.parse(call.body)) as Message;
  }

  /** Query of the tool call. */
  get query(): string {
    return String(this.message.params?.arguments?.['q']);
  }

  get foundResult(): object {
    return { content: [{ type: 'text', text: `found ${this.query}` }] };
  }

  /** Returns whether this is the first call with this query, and records the query as seen. */
  isFirst(query: string): boolean {
    if (this.query !== query || this.memory.seenQueries.has(query)) return false;
    this.memory.seenQueries.add(query);
    return true;
  }

  sendResult(result: object, headers: Record<string, string> = {}): void {
    this.sendMessage(200, { result }, headers);
  }

  sendMessage(status: number, messageFields: object, headers: Record<string, string> = {}): void {
    this.response
      .writeHead(status, { 'Content-Type': 'application/json', ...headers })
      .end(JSON.stringify({ jsonrpc: '2.0', id: this.message.id, ...messageFields }));
  }

  sendStatus(status: number, body = '', headers: Record<string, string> = {}): void {
    this.response.writeHead(status, headers).end(body);
  }

  /** Starts a stream of events. */
  startStream(...messages: readonly object[]): this {
    this.response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    this.response.flushHeaders();
    return this.sendEvents(...messages);
  }

  sendEvents(...messages: readonly object[]): this {
    for (const message of messages)
      this.response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
    return this;
  }

  buildResponse(result: object = this.foundResult): object {
    return { id: this.message.id, result };
  }

  /** Sends a request to the client and continues with its reply. */
  sendRequest(method: string, onReply: (reply: Message) => void): void {
    const id = randomUUID();
    this.memory.replyHandlers.set(id, onReply);
    this.sendEvents({ id, method, params: {} });
  }
}
