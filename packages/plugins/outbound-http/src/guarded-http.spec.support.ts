import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net';
import { isOutboundHttpError, type OutboundHttpError, type OutboundRequest } from '@countersign/core/plugin';
import { OutboundConfigurationSchema } from './configuration.js';
import { GuardedHttp } from './guarded-http.js';
import { SELF_SIGNED } from './self-signed.spec.support.js';
import { systemResolver, type ResolveName } from './resolve-host.js';

export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Local servers of one test. `close` closes all of them. */
export class TestServers {
  readonly received: ReceivedRequest[] = [];
  private readonly openServers: (Server | TcpServer)[] = [];
  private readonly sockets = new Set<Socket>();

  /** @returns the port */
  async startHttp(
    respond: (request: ReceivedRequest, response: ServerResponse) => void,
    host = '127.0.0.1',
  ): Promise<number> {
    const server = createHttpServer(
      (request, response) => void this.readRequest(request).then((received) => respond(received, response)),
    );
    return this.listen(server, host);
  }

  /** @returns the port of a server with an untrusted certificate */
  async startHttps(respond: (response: ServerResponse) => void): Promise<number> {
    return this.listen(
      createHttpsServer(SELF_SIGNED, (_, response) => respond(response)),
      '127.0.0.1',
    );
  }

  /** @returns the port of a server that can send any bytes, such as an incomplete response */
  async startTcp(onConnection: (socket: Socket) => void): Promise<number> {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      onConnection(socket);
    });
    return this.listen(server, '127.0.0.1');
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    for (const server of this.openServers) {
      server.close();
      await once(server, 'close');
    }
  }

  private async readRequest(request: IncomingMessage): Promise<ReceivedRequest> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    const received = { method, url, headers, body: Buffer.concat(chunks).toString() };
    this.received.push(received);
    return received;
  }

  private async listen(server: Server | TcpServer, host: string): Promise<number> {
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
    server.listen(0, host);
    await once(server, 'listening');
    this.openServers.push(server);
    return (server.address() as AddressInfo).port;
  }
}

export interface GuardOptions {
  readonly networks?: readonly string[];
  readonly secrets?: Readonly<Record<string, { readonly Value: string; readonly Hosts: readonly string[] }>>;
  readonly resolve?: ResolveName;
}

/** Creates a `GuardedHttp` that may connect to the loopback network, unless the test sets other networks. */
export function createGuardedHttp({
  networks = ['127.0.0.0/8'],
  secrets = {},
  resolve = systemResolver,
}: GuardOptions = {}) {
  const current = OutboundConfigurationSchema.parse({ Connectors: { AllowedNetworks: networks, Secrets: secrets } });
  const http = new GuardedHttp({ current, onChange: () => () => undefined }, resolve);
  const send = (url: string, overrides: Partial<OutboundRequest> = {}) =>
    http.send({ method: 'GET', url, allowedHosts: ['*:*'], timeoutMs: 20_000, ...overrides });
  return {
    send,
    stream: (url: string, overrides: Partial<OutboundRequest> = {}) =>
      http.stream({ method: 'GET', url, allowedHosts: ['*:*'], timeoutMs: 20_000, ...overrides }),
    /** Returns the error of a request. Throws an error if the request succeeds or fails otherwise. */
    refusal: async (url: string, overrides: Partial<OutboundRequest> = {}): Promise<OutboundHttpError> => {
      const outcome: unknown = await send(url, overrides).catch((error: unknown) => error);
      if (isOutboundHttpError(outcome)) return outcome;
      throw new Error('The request was not refused.', { cause: outcome });
    },
  };
}
