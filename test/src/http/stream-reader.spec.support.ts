import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

/** A reader of an event stream, over a socket of its own, that reads when it is told to. */
export class StreamReader {
  /** The numbers of the run's events that came, in their order. */
  readonly seqs: number[] = [];
  /** The lines that they came in. */
  readonly lines: string[] = [];
  private rest = '';

  private constructor(
    private readonly response: IncomingMessage,
    private readonly wanted: (line: string) => boolean,
  ) {}

  /** Opens a stream, and does not read it yet. @param wanted which `data:` lines count. */
  static async open(url: string, token: string, wanted: (line: string) => boolean): Promise<StreamReader> {
    const request = get(url, {
      agent: false,
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`${response.statusCode} instead of a stream`);
    return new StreamReader(response.setEncoding('utf8'), wanted);
  }

  /** Reads until the event of that number has come. `onChunk` is called now and then meanwhile. */
  async readTo(last: number, onChunk: () => void = () => undefined): Promise<void> {
    for await (const chunk of this.response) {
      this.take(String(chunk));
      onChunk();
      if (this.seqs.at(-1) === last) return;
    }
    throw new Error(`The stream ended behind event ${this.seqs.at(-1)}.`);
  }

  close(): void {
    this.response.destroy();
  }

  private take(text: string): void {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data:') || !this.wanted(line)) continue;
      const seq = /"seq":(\d+)/.exec(line)?.[1];
      if (seq === undefined) continue;
      this.seqs.push(Number(seq));
      this.lines.push(line);
    }
  }
}
