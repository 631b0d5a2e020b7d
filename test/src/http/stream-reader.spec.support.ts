import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

/** Reader of an event stream over its own socket, which reads only on demand. */
export class StreamReader {
  /** Numbers of the received run events, in order of arrival. */
  readonly seqs: number[] = [];
  /** Received `data:` lines of these run events. */
  readonly lines: string[] = [];
  private partialLine = '';

  private constructor(
    private readonly response: IncomingMessage,
    private readonly isRelevantLine: (line: string) => boolean,
  ) {}

  /**
   * Opens a stream without reading it.
   *
   * @param isRelevantLine returns whether to record the event of a `data:` line
   */
  static async open(url: string, token: string, isRelevantLine: (line: string) => boolean): Promise<StreamReader> {
    const request = get(url, {
      agent: false,
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    if (response.statusCode !== 200)
      throw new Error(`Expected an event stream, but the server responded with ${response.statusCode}.`);
    return new StreamReader(response.setEncoding('utf8'), isRelevantLine);
  }

  /** Reads until the event with the number `lastSeq` has arrived. Calls `onChunk` after each chunk. */
  async readUntilSeq(lastSeq: number, onChunk: () => void = () => undefined): Promise<void> {
    for await (const chunk of this.response) {
      this.parseChunk(String(chunk));
      onChunk();
      if (this.seqs.at(-1) === lastSeq) return;
    }
    throw new Error(`The stream ended after event ${this.seqs.at(-1)}.`);
  }

  close(): void {
    this.response.destroy();
  }

  private parseChunk(chunk: string): void {
    const lines = (this.partialLine + chunk).split('\n');
    this.partialLine = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data:') || !this.isRelevantLine(line)) continue;
      const seq = /"seq":(\d+)/.exec(line)?.[1];
      if (seq === undefined) continue;
      this.seqs.push(Number(seq));
      this.lines.push(line);
    }
  }
}
