import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * External service for the jobs of `outside-plugin`: it records requests and responds when the test calls
 * `respondToAll`.
 */
export interface OutsideService {
  readonly url: string;
  /** Idempotency keys of the requests so far. */
  readonly requests: readonly string[];
  /** Responds to all pending requests. */
  respondToAll(text: string): void;
  close(): Promise<void>;
}

export async function startOutsideService(): Promise<OutsideService> {
  const requests: string[] = [];
  const openResponses: ServerResponse[] = [];
  const server = createServer((request, response) => {
    requests.push(String(request.headers['idempotency-key']));
    openResponses.push(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests,
    respondToAll: (text) => {
      for (const response of openResponses.splice(0)) response.end(text);
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
