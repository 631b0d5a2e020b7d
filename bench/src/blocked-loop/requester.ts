import { Worker } from 'node:worker_threads';

export interface ThreadRequest {
  readonly id: number;
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface ThreadResponse {
  readonly id: number;
  readonly status: number;
  readonly text: string;
}

/** HTTP client that sends its requests from a separate thread. */
export class Requester {
  private readonly worker = new Worker(new URL('./requester-thread.js', import.meta.url));
  private readonly responseHandlers = new Map<number, (response: ThreadResponse) => void>();
  private requestCount = 0;

  constructor() {
    this.worker.on('message', (response: ThreadResponse) => {
      this.responseHandlers.get(response.id)?.(response);
      this.responseHandlers.delete(response.id);
    });
  }

  /**
   * @returns the text of the response
   * @throws {Error} if the request failed
   */
  async send(request: Omit<ThreadRequest, 'id'>): Promise<string> {
    const id = (this.requestCount += 1);
    const response = new Promise<ThreadResponse>((resolve) => this.responseHandlers.set(id, resolve));
    this.worker.postMessage({ ...request, id } satisfies ThreadRequest);
    const { status, text } = await response;
    if (status < 200 || status > 299)
      throw new Error(`${request.method} ${request.url} responded with ${status}: ${text.slice(0, 500)}`);
    return text;
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }
}
