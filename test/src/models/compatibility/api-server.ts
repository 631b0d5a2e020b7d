import { createServer, type Server, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '@countersign/core';
import { isFailing, type Answer, type Api } from './api.js';

/** Server for several APIs, each at a separate address. It stores no conversation: the request identifies the turn. */
export class ApiServer {
  /** Number of requests by API and language model. */
  readonly asked = new Map<string, number>();
  /** Refused requests, with reasons. */
  readonly refused: string[] = [];
  /** Failing language models that have been repaired. */
  readonly mended = new Set<string>();
  private readonly server: Server;

  constructor(private readonly apis: readonly Api[]) {
    this.server = createServer((request, response) => void this.take(request, response));
  }

  /** @returns the origin */
  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const api = this.apis.find(
      ({ id, root, path = '/chat/completions' }) => request.url === `/${id}${root}${path}` && request.method === 'POST',
    );
    if (api === undefined) {
      this.refused.push(`${request.method} ${request.url}`);
      answer(response, { status: 404, body: { error: { message: `There is nothing at ${request.url}.` } } });
      return;
    }
    const body = JSON.parse(Buffer.concat(parts).toString()) as JsonObject;
    try {
      answer(response, this.answerOf(api, { headers: request.headers, body }));
    } catch (error) {
      // A request that a check cannot read is wrong.
      this.refused.push(`${api.id}: ${String(error)}`);
      answer(response, { status: 400, body: { error: { message: String(error) } } });
    }
  }

  private answerOf(api: Api, request: Parameters<Api['refuses']>[0]): Answer {
    const model = String(request.body['model']);
    const messages = request.body['messages'] as readonly JsonObject[];
    const key = `${api.id} ${model}`;
    const asked = (this.asked.get(key) ?? 0) + 1;
    this.asked.set(key, asked);
    const refusal = api.refuses(request);
    if (refusal !== undefined) {
      this.refused.push(`${key}: ${JSON.stringify(refusal)}`);
      return refusal;
    }
    const turn = messages.filter(({ role }) => role === 'assistant').length;
    const failure = isFailing(api, model);
    // In the middle of the loop, so that earlier messages must survive.
    const isTime = turn === 1 || failure?.retryAfterMs !== undefined;
    if (failure !== undefined && isTime && !this.mended.has(key)) {
      if (failure.isOnce === true) this.mended.add(key);
      return failure.answer;
    }
    return { stream: api.turns[turn] ?? [] };
  }
}

function answer(response: ServerResponse, given: Answer): void {
  if ('status' in given) {
    const { status, body, headers } = given;
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of given.stream)
    response.write(
      typeof event === 'string'
        ? `${event}\n\n`
        : `${typeof event['type'] === 'string' ? `event: ${event['type']}\n` : ''}data: ${JSON.stringify(event)}\n\n`,
    );
  response.end();
}
