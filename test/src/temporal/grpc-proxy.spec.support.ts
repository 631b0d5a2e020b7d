import { once } from 'node:events';
import {
  type ClientHttp2Session,
  connect,
  createSecureServer,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type SecureServerOptions,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';

/** Response of the Temporal server to a call, which has one message or none. */
export interface CallResponse {
  readonly headers: IncomingHttpHeaders;
  readonly trailers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A proxy in front of a Temporal server. Its address stays the same while the server is killed and started again. */
export abstract class GrpcProxy {
  private readonly sessions = new Set<ServerHttp2Session>();
  private upstream: ClientHttp2Session | undefined;
  private readonly server: Http2Server;

  /**
   * @param target host and port of the Temporal server
   * @param tls options of a proxy that requires TLS
   */
  protected constructor(
    private readonly target: string,
    tls?: SecureServerOptions,
  ) {
    this.server = tls === undefined ? createServer() : createSecureServer(tls);
    this.server.on('sessionError', ignore);
    this.server.on('session', (session) => {
      this.sessions.add(session);
      session.on('error', ignore);
      session.on('close', () => this.sessions.delete(session));
    });
    this.server.on('stream', (stream, headers) => {
      stream.on('error', ignore);
      this.handle(stream, headers).catch(() => {
        // Without a connection to the Temporal server, clients lose theirs, as if it were the same one.
        if (!stream.destroyed) this.closeConnections();
      });
    });
  }

  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.closeConnections();
    this.upstream?.destroy();
    this.server.close();
  }

  protected async listen(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  /** Handles a call. If it rejects, the connections of all clients are closed. */
  protected abstract handle(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void>;

  /** Closes the connections of all clients, as the end of the server does. */
  protected closeConnections(): void {
    for (const session of this.sessions) session.destroy();
  }

  /** Passes a call on, and returns the whole response. */
  protected async forward(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<CallResponse> {
    const request = this.connectUpstream().request(headers);
    stream.on('close', () => request.close());
    let response: IncomingHttpHeaders = {};
    let trailers: IncomingHttpHeaders = {};
    request.on('response', (received) => (response = received));
    request.on('trailers', (received) => (trailers = received));
    stream.pipe(request);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (response[':status'] === undefined) throw new Error('The connection to the Temporal server was closed.');
    return { headers: response, trailers, body: Buffer.concat(chunks) };
  }

  protected respond(stream: ServerHttp2Stream, { headers, trailers, body }: CallResponse): void {
    if (stream.destroyed) return;
    if (headers['grpc-status'] !== undefined) return stream.respond(headers, { endStream: true });
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    stream.respond(headers, { waitForTrailers: true });
    stream.end(body);
  }

  private connectUpstream(): ClientHttp2Session {
    if (this.upstream !== undefined) return this.upstream;
    const upstream = connect(`http://${this.target}`);
    upstream.on('error', ignore);
    upstream.on('close', () => {
      if (this.upstream === upstream) this.upstream = undefined;
      this.closeConnections();
    });
    return (this.upstream = upstream);
  }
}

function ignore(): void {
  // The client has cancelled the request, or a connection was closed.
}
