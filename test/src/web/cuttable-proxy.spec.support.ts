import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** TCP proxy whose connections to a server can be cut and restored. It forwards bytes unchanged. */
export class CuttableProxy {
  private readonly sockets = new Set<Socket>();
  private isCut = false;

  private constructor(
    private readonly server: Server,
    /** Local address of the proxy. */
    readonly url: string,
  ) {}

  static async start(url: string): Promise<CuttableProxy> {
    const { hostname, port } = new URL(url);
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new CuttableProxy(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('connection', (clientSocket) => {
      if (proxy.isCut) clientSocket.destroy();
      else proxy.connectSockets(clientSocket, connect(Number(port), hostname));
    });
    return proxy;
  }

  /** Breaks all connections; new ones break immediately. */
  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  restore(): void {
    this.isCut = false;
  }

  async close(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }

  private connectSockets(clientSocket: Socket, serverSocket: Socket): void {
    for (const [source, destination] of [
      [clientSocket, serverSocket],
      [serverSocket, clientSocket],
    ] as const) {
      this.sockets.add(source);
      // A cut connection is not an error here.
      source
        .on('error', () => undefined)
        .on('close', () => {
          this.sockets.delete(source);
          destination.destroy();
        });
      source.pipe(destination);
    }
  }
}
