import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CoreConfiguration, type LoggerPort, LoggerPort as LoggerToken } from '@countersign/core';
import { respondToBrokenRequest } from './respond-to-broken-request.js';
import { Connections } from './connections.js';
import { createAppWithMiddleware } from './create-app.js';
import type { ServerHost } from './server-host.js';

/** Time limits in ms: for the headers of a request, for the whole request with uploads, and between two requests. */
const HEADERS_TIMEOUT_MS = 20_000;
const REQUEST_TIMEOUT_MS = 15 * 60_000;
const KEEP_ALIVE_MS = 65_000;

export interface ListeningAddress {
  /** URL without a trailing slash, for example `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly port: number;
}

export interface CountersignServer {
  /** @throws the error of Node.js, for example with code `EADDRINUSE` */
  listen(): Promise<ListeningAddress>;
  /**
   * Reports not ready for `Server:DrainDelay` while requests are still served, so that a load balancer routes new ones
   * to other servers. Call {@link close} afterwards.
   */
  drain(): Promise<void>;
  /** Stops accepting connections, ends event streams, and gives requests in progress `graceMs` to finish. */
  close(graceMs: number): Promise<void>;
}

/** Creates an HTTP server for the API (`Server:Host`, `Server:Port`). The caller starts and stops the host. */
export function createServer(host: ServerHost): CountersignServer {
  const { Server: serverConfiguration } = host.get(CoreConfiguration);
  const { app, middleware } = createAppWithMiddleware(host);
  const log = host.get(LoggerToken);
  const server = createHttpServer(
    { keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
    app.callback(),
  );
  server.on('clientError', respondToBrokenRequest);
  const connections = new Connections(server);
  return {
    listen: async () => {
      await startListening(server, serverConfiguration.Host, serverConfiguration.Port);
      const { port } = server.address() as AddressInfo;
      const urlHost = serverConfiguration.Host.includes(':')
        ? `[${serverConfiguration.Host}]`
        : serverConfiguration.Host;
      return { url: `http://${urlHost}:${port}${serverConfiguration.BasePath ?? ''}`, port };
    },
    drain: () => middleware.drain(),
    close: (graceMs) => closeServer(server, connections, middleware.close, graceMs, log),
  };
}

function startListening(server: Server, hostName: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, hostName, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function closeServer(
  server: Server,
  connections: Connections,
  closeMiddleware: () => void,
  graceMs: number,
  log: LoggerPort,
): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  closeMiddleware();
  connections.drain();
  const graceTimer = setTimeout(() => {
    log.warn({ graceMs }, 'closed requests that exceeded the shutdown grace period');
    server.closeAllConnections();
  }, graceMs);
  await closed;
  clearTimeout(graceTimer);
}
