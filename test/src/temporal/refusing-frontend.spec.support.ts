import { once } from 'node:events';
import {
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

/** gRPC status of a response. */
export interface Refusal {
  readonly code: number;
  readonly message: string;
  /** Method whose requests are refused; by default, those of all methods. */
  readonly method?: string;
}

/** A proxy in front of a Temporal server, which can refuse all requests. */
export class RefusingFrontend {
  private refusal: Refusal | null = null;
  /** API key without which requests are refused; `null`: none is required. */
  apiKey: string | null = null;

  private readonly sessions = new Set<ServerHttp2Session>();

  private constructor(
    private readonly server: Http2Server,
    private readonly upstream: ReturnType<typeof connect>,
  ) {}

  /**
   * @param address host and port of the Temporal server
   * @param tls options of a proxy that requires TLS
   */
  static async start(address: string, tls?: SecureServerOptions): Promise<RefusingFrontend> {
    const server = tls === undefined ? createServer() : createSecureServer(tls);
    const frontend = new RefusingFrontend(server, connect(`http://${address}`));
    server.on('sessionError', ignore);
    server.on('session', (session) => {
      frontend.sessions.add(session);
      session.on('close', () => frontend.sessions.delete(session));
    });
    server.on('stream', (stream, headers) => frontend.handle(stream, headers));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return frontend;
  }

  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Closes all connections, and refuses further requests; `null`: passes them on again. */
  refuse(refusal: Refusal | null): void {
    this.refusal = refusal;
    for (const session of this.sessions) session.destroy();
  }

  close(): void {
    this.refuse(null);
    this.upstream.destroy();
    this.server.close();
  }

  private handle(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    stream.on('error', ignore);
    const refusal = this.findRefusal(headers);
    if (refusal !== null) {
      const { code, message } = refusal;
      const status = { 'grpc-status': String(code), 'grpc-message': encodeURIComponent(message) };
      stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...status }, { endStream: true });
      return;
    }
    const request = this.upstream.request(headers);
    request.on('error', () => stream.destroy());
    stream.on('close', () => request.close());
    let trailers: IncomingHttpHeaders = {};
    request.on('trailers', (received) => (trailers = received));
    request.on('response', (response) => {
      if (response['grpc-status'] !== undefined) return stream.respond(response, { endStream: true });
      stream.on('wantTrailers', () => stream.sendTrailers(trailers));
      stream.respond(response, { waitForTrailers: true });
      request.pipe(stream);
    });
    stream.pipe(request);
  }

  private findRefusal({ authorization, ':path': path = '' }: IncomingHttpHeaders): Refusal | null {
    if (this.apiKey !== null && authorization !== `Bearer ${this.apiKey}`)
      return { code: 16, message: 'Request unauthorized.' };
    const { refusal } = this;
    return refusal?.method === undefined || path.endsWith(`/${refusal.method}`) ? refusal : null;
  }
}

function ignore(): void {
  // The client has cancelled the request, or closed the connection.
}
