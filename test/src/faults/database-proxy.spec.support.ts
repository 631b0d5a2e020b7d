import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

interface ProxiedConnection {
  readonly clientSocket: Socket;
  readonly databaseSocket: Socket;
  isSilent: boolean;
  losesResponses: boolean;
}

/** TCP proxy in front of PostgreSQL that simulates network faults. */
export class DatabaseProxy {
  private readonly connections = new Set<ProxiedConnection>();
  private isHanging = false;
  private isRefusing = false;
  private losesResponses = false;

  private constructor(
    private readonly server: Server,
    /** Connection string of the database through the proxy. */
    readonly connectionString: string,
  ) {}

  static async start(connectionString: string): Promise<DatabaseProxy> {
    const target = new URL(connectionString);
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxyUrl = new URL(connectionString);
    proxyUrl.port = String((server.address() as AddressInfo).port);
    proxyUrl.hostname = '127.0.0.1';
    const proxy = new DatabaseProxy(server, proxyUrl.href);
    server.on('connection', (socket) => proxy.connectSockets(socket, connect(Number(target.port), target.hostname)));
    return proxy;
  }

  /** Drops all bytes of the open connections, in both directions and without a reset; new connections work. */
  dropOpenConnections(): void {
    for (const connection of this.connections) connection.isSilent = true;
  }

  /** Drops all bytes of open and new connections. */
  hang(): void {
    this.isHanging = true;
    this.dropOpenConnections();
  }

  /** Forwards requests and drops the responses, until {@link repair}. */
  loseResponses(): void {
    this.losesResponses = true;
    this.loseResponsesOfOpenConnections();
  }

  /** Forwards requests and drops the responses of the open connections; new connections work. */
  loseResponsesOfOpenConnections(): void {
    for (const connection of this.connections) connection.losesResponses = true;
  }

  /** Resets all connections and refuses new ones. */
  refuse(): void {
    this.isRefusing = true;
    for (const { clientSocket } of this.connections) clientSocket.resetAndDestroy();
  }

  /** Makes new connections work again. Silenced connections stay silent. */
  repair(): void {
    // A dropped response must not arrive later.
    if (this.losesResponses) this.dropOpenConnections();
    this.losesResponses = false;
    this.isHanging = false;
    this.isRefusing = false;
  }

  async close(): Promise<void> {
    this.server.close();
    for (const { clientSocket, databaseSocket } of this.connections) {
      clientSocket.destroy();
      databaseSocket.destroy();
    }
    await once(this.server, 'close');
  }

  private connectSockets(near: Socket, far: Socket): void {
    const connection: ProxiedConnection = {
      clientSocket: near,
      databaseSocket: far,
      isSilent: this.isHanging,
      losesResponses: this.losesResponses,
    };
    this.connections.add(connection);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('error', () => undefined);
      from.on('data', (bytes) => {
        if (!connection.isSilent && !(from === far && connection.losesResponses)) to.write(bytes);
      });
      // The end of a silent connection is dropped like its bytes.
      from.on('close', () => {
        if (!connection.isSilent) to.destroy();
      });
    }
    if (this.isRefusing) near.resetAndDestroy();
  }
}
