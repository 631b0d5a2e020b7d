import type { IncomingHttpHeaders, SecureServerOptions, ServerHttp2Stream } from 'node:http2';
import { GrpcProxy } from './grpc-proxy.spec.support.js';

/** gRPC status of a response. */
export interface Refusal {
  readonly code: number;
  readonly message: string;
  /** Method whose requests are refused; by default, those of all methods. */
  readonly method?: string;
}

/** A proxy in front of a Temporal server, which can refuse all requests. */
export class RefusingFrontend extends GrpcProxy {
  private refusal: Refusal | null = null;
  /** API key without which requests are refused; `null`: none is required. */
  apiKey: string | null = null;
  /** Number of received requests. */
  requestCount = 0;

  /**
   * @param address host and port of the Temporal server
   * @param tls options of a proxy that requires TLS
   */
  static async start(address: string, tls?: SecureServerOptions): Promise<RefusingFrontend> {
    const frontend = new RefusingFrontend(address, tls);
    await frontend.listen();
    return frontend;
  }

  /** Closes all connections, and refuses further requests; `null`: passes them on again. */
  refuse(refusal: Refusal | null): void {
    this.refusal = refusal;
    this.closeConnections();
  }

  protected override async handle(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    this.requestCount += 1;
    const refusal = this.findRefusal(headers);
    if (refusal === null) return this.respond(stream, await this.forward(stream, headers));
    const { code, message } = refusal;
    const status = { 'grpc-status': String(code), 'grpc-message': encodeURIComponent(message) };
    stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...status }, { endStream: true });
  }

  private findRefusal({ authorization, ':path': path = '' }: IncomingHttpHeaders): Refusal | null {
    if (this.apiKey !== null && authorization !== `Bearer ${this.apiKey}`)
      return { code: 16, message: 'Request unauthorized.' };
    const { refusal } = this;
    return refusal?.method === undefined || path.endsWith(`/${refusal.method}`) ? refusal : null;
  }
}
