/** The event streams that are open, so that a server that stops can end them. */
export class OpenStreams {
  private readonly streams = new Set<{ end(): void }>();
  private closed = false;

  constructor(private readonly onCount: (count: number) => void) {}

  /** @returns takes it off the list again. */
  add(stream: { end(): void }): () => void {
    this.streams.add(stream);
    this.onCount(this.streams.size);
    if (this.closed) stream.end();
    return () => {
      this.streams.delete(stream);
      this.onCount(this.streams.size);
    };
  }

  endAll(): void {
    this.closed = true;
    for (const stream of [...this.streams]) stream.end();
  }
}
