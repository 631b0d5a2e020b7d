import { expect } from 'chai';
import { parseEventStream, type ServerSentEvent } from './event-stream.js';

const encoder = new TextEncoder();

async function parseChunks(
  ...chunks: (string | Uint8Array)[]
): Promise<{ events: ServerSentEvent[]; retries: number[]; ids: string[] }> {
  const events: ServerSentEvent[] = [];
  const retries: number[] = [];
  const ids: string[] = [];
  async function* source(): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) {
      yield await Promise.resolve(typeof chunk === 'string' ? encoder.encode(chunk) : chunk);
    }
  }
  for await (const event of parseEventStream(source(), {
    onRetry: (ms) => retries.push(ms),
    onId: (id) => ids.push(id),
  })) {
    events.push(event);
  }
  return { events, retries, ids };
}

describe('parseEventStream', () => {
  it('should parse the id, the name and the data of events', async () => {
    const { events, retries } = await parseChunks(
      ': hello\nretry: 1500\n\nid: 7\nevent: run\ndata: {"a":1}\n\ndata:x\ndata: y\ndata\n\n',
    );
    expect(events).to.deep.equal([
      { id: '7', event: 'run', data: '{"a":1}' },
      { id: '7', event: 'message', data: 'x\ny\n' },
    ]);
    expect(retries).to.deep.equal([1500]);
  });

  it('should parse the same events regardless of how the bytes are split into chunks', async () => {
    // given
    const text = '\ufeffid: 1\r\ndata: größer 😀\r\n\r\nid: 2\rdata: b\r\rid: 3\ndata: c\n\n:\r\n\r\n';
    const bytes = encoder.encode(text);
    const expectedEvents = (await parseChunks(text)).events;

    // then
    expect(expectedEvents).to.deep.equal([
      { id: '1', event: 'message', data: 'größer 😀' },
      { id: '2', event: 'message', data: 'b' },
      { id: '3', event: 'message', data: 'c' },
    ]);
    for (let size = 1; size < 20; size += 1) {
      const chunks: Uint8Array[] = [];
      for (let offset = 0; offset < bytes.length; offset += size) {
        chunks.push(bytes.slice(offset, offset + size), new Uint8Array());
      }
      expect((await parseChunks(...chunks)).events, `chunks of ${size}`).to.deep.equal(expectedEvents);
    }
  });

  it('should drop an event that is incomplete at the end of the stream', async () => {
    expect((await parseChunks('data: a\n\nid: 2\ndata: b\n')).events).to.have.lengthOf(1);
  });

  it('should remember the id of a block without data and ignore an id that contains NUL', async () => {
    const { events, ids } = await parseChunks('id: 5\n\ndata: a\n\nid: 6\0\ndata: b\n\n');
    expect(events.map(({ id }) => id)).to.deep.equal(['5', '5']);
    expect(ids).to.deep.equal(['5']);
  });
});
