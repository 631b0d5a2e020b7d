import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Part of a vote that is dropped: nothing (`pass`), the response (`answer`) or the request (`request`). */
export type CutMode = 'pass' | 'answer' | 'request';

/** A proxy between the application and the server that drops votes or their responses. */
export class CuttingProxy {
  cut: CutMode = 'pass';
  /** Number of votes that reached the proxy. */
  voteCount = 0;
  private readonly server = createServer((request, response) => this.forward(request, response));
  private onLost: (() => void) | undefined;

  private constructor(private readonly target: URL) {}

  static async start(url: string): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(new URL(url));
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Drops the next vote. @returns a promise that resolves when the vote is lost */
  loseNextVote(cut: Exclude<CutMode, 'pass'>): Promise<void> {
    this.cut = cut;
    return new Promise((resolve) => (this.onLost = resolve));
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private forward(request: IncomingMessage, response: ServerResponse): void {
    const isVote = request.method === 'POST' && /\/decision$/.test(request.url ?? '');
    if (isVote) this.voteCount += 1;
    const { cut } = this;
    if (isVote && cut === 'request') return this.onLost?.();
    const { hostname, port } = this.target;
    const upstreamRequest = ask(
      {
        hostname,
        port,
        method: request.method,
        path: request.url,
        headers: { ...request.headers, host: this.target.host },
      },
      (upstreamResponse) => {
        if (isVote && cut === 'answer') {
          upstreamResponse.resume().on('end', () => this.onLost?.());
          return;
        }
        response.writeHead(upstreamResponse.statusCode ?? 502, upstreamResponse.headers);
        upstreamResponse.pipe(response);
        upstreamResponse.on('error', () => response.destroy());
      },
    );
    upstreamRequest.on('error', () => response.destroy());
    response.on('close', () => upstreamRequest.destroy());
    request.pipe(upstreamRequest);
  }
}
