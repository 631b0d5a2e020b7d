import { createServer, type Server, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '@countersign/core';
import { findFailure, type ApiResponse, type Api } from './api.js';

/** Server for several APIs, each at a separate address. It stores no conversation: the request identifies the turn. */
export class ApiServer {
  /** Number of requests by API and language model. */
  readonly requestCounts = new Map<string, number>();
  /** Refused requests, with reasons. */
  readonly refusedRequests: string[] = [];
  /** Failing language models that have been repaired. */
  readonly repairedModels = new Set<string>();
  private readonly server: Server;

  constructor(private readonly apis: readonly Api[]) {
    this.server = createServer((request, response) => void this.handleRequest(request, response));
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

  private async handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const api = this.apis.find(
      ({ id, root, path = '/chat/completions' }) => request.url === `/${id}${root}${path}` && request.method === 'POST',
    );
    if (api === undefined) {
      this.refusedRequests.push(`${request.method} ${request.url}`);
      sendResponse(response, { status: 404, body: { error: { message: `There is nothing at ${request.url}.` } } });
      return;
    }
    const body = JSON.parse(Buffer.concat(parts).toString()) as JsonObject;
    try {
      sendResponse(response, this.selectResponse(api, { headers: request.headers, body }));
    } catch (error) {
      // A request that the checks cannot read is invalid.
      this.refusedRequests.push(`${api.id}: ${String(error)}`);
      sendResponse(response, { status: 400, body: { error: { message: String(error) } } });
    }
  }

  private selectResponse(api: Api, request: Parameters<Api['findRefusal']>[0]): ApiResponse {
    const model = String(request.body['model']);
    const messages = request.body['messages'] as readonly JsonObject[];
    const key = `${api.id} ${model}`;
    const requestCount = (this.requestCounts.get(key) ?? 0) + 1;
    this.requestCounts.set(key, requestCount);
    const refusal = api.findRefusal(request);
    if (refusal !== undefined) {
      this.refusedRequests.push(`${key}: ${JSON.stringify(refusal)}`);
      return refusal;
    }
    const turn = messages.filter(({ role }) => role === 'assistant').length;
    const failure = findFailure(api, model);
    // Fails in the middle of the loop, so that earlier messages must be kept.
    const isFailingTurn = turn === 1 || failure?.retryAfterMs !== undefined;
    if (failure !== undefined && isFailingTurn && !this.repairedModels.has(key)) {
      if (failure.isOnce === true) this.repairedModels.add(key);
      return failure.response;
    }
    return { stream: api.turns[turn] ?? [] };
  }
}

function sendResponse(response: ServerResponse, apiResponse: ApiResponse): void {
  if ('status' in apiResponse) {
    const { status, body, headers } = apiResponse;
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of apiResponse.stream)
    response.write(
      typeof event === 'string'
        ? `${event}\n\n`
        : `${typeof event['type'] === 'string' ? `event: ${event['type']}\n` : ''}data: ${JSON.stringify(event)}\n\n`,
    );
  response.end();
}
