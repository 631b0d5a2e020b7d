import { once } from 'node:events';
import { connect, createServer, type Http2Server, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';

/** A proxy in front of a Temporal server, which refuses all requests while `refusal` is set. */
export class RefusingFrontend {
  /** gRPC status of all responses; `null`: requests are passed on. */
  refusal: { readonly code: number; readonly message: string } | null = null;

  private constructor(
    private readonly server: Http2Server,
    private readonly upstream: ReturnType<typeof connect>,
  ) {}

  /** @param address host and port of the Temporal server */
  static async start(address: string): Promise<RefusingFrontend> {
    const server = createServer();
    const frontend = new RefusingFrontend(server, connect(`http://${address}`));
    server.on('stream', (stream, headers) => frontend.handle(stream, headers));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return frontend;
  }

  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.upstream.destroy();
    this.server.close();
  }

  private handle(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    stream.on('error', ignore);
    if (this.refusal !== null) {
      const { code, message } = this.refusal;
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
}

function ignore(): void {
  // The client has cancelled the request.
}
