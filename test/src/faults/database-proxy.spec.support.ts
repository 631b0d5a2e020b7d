import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

interface Link {
  readonly near: Socket;
  readonly far: Socket;
  isSilent: boolean;
  losesAnswers: boolean;
}

/** TCP proxy before PostgreSQL that fails the way networks do. */
export class DatabaseProxy {
  private readonly links = new Set<Link>();
  private isHanging = false;
  private isRefusing = false;
  private losesAnswers = false;

  private constructor(
    private readonly server: Server,
    /** Connection string of the database through the proxy. */
    readonly connectionString: string,
  ) {}

  static async to(connectionString: string): Promise<DatabaseProxy> {
    const target = new URL(connectionString);
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const near = new URL(connectionString);
    near.port = String((server.address() as AddressInfo).port);
    near.hostname = '127.0.0.1';
    const proxy = new DatabaseProxy(server, near.href);
    server.on('connection', (socket) => proxy.join(socket, connect(Number(target.port), target.hostname)));
    return proxy;
  }

  /** Drops all bytes of the open connections, in both directions and without a reset; new connections work. */
  silence(): void {
    for (const link of this.links) link.isSilent = true;
  }

  /** Silences everything, including new connections. */
  hang(): void {
    this.isHanging = true;
    this.silence();
  }

  /** Forwards requests and drops the responses, until {@link mend}. */
  loseAnswers(): void {
    this.losesAnswers = true;
    this.loseAnswersOfOpen();
  }

  /** Forwards requests and drops the responses of the open connections; new connections work. */
  loseAnswersOfOpen(): void {
    for (const link of this.links) link.losesAnswers = true;
  }

  /** Resets all connections and refuses new ones. */
  refuse(): void {
    this.isRefusing = true;
    for (const { near } of this.links) near.resetAndDestroy();
  }

  /** Makes new connections work again. Silenced connections stay silent. */
  mend(): void {
    // A dropped response must not arrive later.
    if (this.losesAnswers) this.silence();
    this.losesAnswers = false;
    this.isHanging = false;
    this.isRefusing = false;
  }

  async close(): Promise<void> {
    this.server.close();
    for (const { near, far } of this.links) {
      near.destroy();
      far.destroy();
    }
    await once(this.server, 'close');
  }

  private join(near: Socket, far: Socket): void {
    const link: Link = { near, far, isSilent: this.isHanging, losesAnswers: this.losesAnswers };
    this.links.add(link);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('error', () => undefined);
      from.on('data', (bytes) => {
        if (!link.isSilent && !(from === far && link.losesAnswers)) to.write(bytes);
      });
      // The end of a silent connection is dropped like its bytes.
      from.on('close', () => {
        if (!link.isSilent) to.destroy();
      });
    }
    if (this.isRefusing) near.resetAndDestroy();
  }
}
