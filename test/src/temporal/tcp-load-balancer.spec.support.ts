import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A load balancer: it connects each client to the next backend that accepts connections. */
export class TcpLoadBalancer {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private nextBackend = 0;

  /** @param backends hosts and ports */
  private constructor(private readonly backends: readonly string[]) {
    this.server = createServer({ pauseOnConnect: true }, (client) => {
      this.track(client);
      this.connectBackend(client, backends.length);
    });
  }

  static async start(backends: readonly string[]): Promise<TcpLoadBalancer> {
    const loadBalancer = new TcpLoadBalancer(backends);
    loadBalancer.server.listen(0, '127.0.0.1');
    await once(loadBalancer.server, 'listening');
    return loadBalancer;
  }

  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private connectBackend(client: Socket, attemptsLeft: number): void {
    const [host = '', port] = (this.backends[this.nextBackend] ?? '').split(':');
    this.nextBackend = (this.nextBackend + 1) % this.backends.length;
    const backend = connect(Number(port), host);
    this.track(backend);
    const reconnect = (): void => {
      if (attemptsLeft > 1 && !client.destroyed) this.connectBackend(client, attemptsLeft - 1);
      else client.destroy();
    };
    backend.once('close', reconnect);
    backend.once('connect', () => {
      backend.off('close', reconnect);
      backend.once('close', () => client.destroy());
      client.once('close', () => backend.destroy());
      if (client.destroyed) backend.destroy();
      client.pipe(backend).pipe(client);
    });
  }

  private track(socket: Socket): void {
    this.sockets.add(socket);
    // A broken connection is closed, too.
    socket.on('error', () => undefined);
    socket.once('close', () => this.sockets.delete(socket));
  }
}
