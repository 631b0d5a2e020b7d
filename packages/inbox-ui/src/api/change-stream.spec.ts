import { ProblemError, type ChangeMessage } from '@countersign/contract';
import { expect } from 'chai';
import { followChanges, type StreamStatus } from './change-stream.js';

type Responder = (signal: AbortSignal | null | undefined) => Response;

const formatChange = (id: string, seq: number): string =>
  `id: ${id}\ndata: ${JSON.stringify({ runId: 'r', seq, type: 'step.started' })}\n\n`;

describe('followChanges', () => {
  const { fetch } = globalThis;
  /** The `Last-Event-ID` of each request. */
  const lastEventIds: (string | null)[] = [];
  const statuses: StreamStatus[] = [];
  const positions: string[] = [];
  let responders: Responder[];
  let controller: AbortController;

  beforeEach(() => {
    controller = new AbortController();
    for (const list of [lastEventIds, statuses, positions]) list.length = 0;
    globalThis.fetch = async (_, init) => {
      lastEventIds.push(new Headers(init?.headers).get('last-event-id'));
      const responder = responders.shift();
      if (responder === undefined) throw new TypeError('There is no network.');
      return responder(init?.signal);
    };
  });

  afterEach(() => {
    controller.abort();
    globalThis.fetch = fetch;
  });

  const respondWith =
    (text: string, end: 'cut' | 'end' | 'open'): Responder =>
    (signal) => {
      let sent = false;
      const body = new ReadableStream<Uint8Array>({
        start: (stream) => signal?.addEventListener('abort', () => stream.error(signal.reason)),
        pull(stream) {
          if (!sent) stream.enqueue(new TextEncoder().encode(`retry: 1\n\n${text}`));
          else if (end === 'cut') stream.error(new TypeError('The network connection was lost.'));
          else if (end === 'end') stream.close();
          sent = true;
        },
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    };
  const refuseWith =
    (status: number): Responder =>
    () =>
      new Response(
        JSON.stringify({
          type: 'about:blank',
          title: 'Forbidden',
          status,
          code: 'forbidden',
          retryable: false,
          traceId: '0',
          errors: [],
        }),
        { status, headers: { 'content-type': 'application/problem+json' } },
      );

  /** Follows the stream until the given number of changes has arrived. */
  async function follow(changeCount: number, lastEventId?: string): Promise<ChangeMessage[]> {
    const messages: ChangeMessage[] = [];
    await followChanges({
      baseUrl: 'http://server.example',
      token: () => 'token',
      signal: controller.signal,
      lastEventId,
      onStatus: (status) => statuses.push(status),
      onPosition: (position) => positions.push(position),
      onMessage: (message) => {
        messages.push(message);
        if (messages.length === changeCount) controller.abort();
      },
    });
    return messages;
  }
  const toSeqs = (messages: readonly ChangeMessage[]): (number | 'reset')[] =>
    messages.map((message) => (message.type === 'reset' ? 'reset' : message.change.seq));

  it('should resume after the last complete change wherever the stream is cut, and miss no change', async () => {
    // given: responses that are cut within a change, that end, and that are cut before any change
    responders = [
      respondWith(`id: p0\n\n${formatChange('p1', 1)}id: p2\ndata: {"seq"`, 'cut'),
      respondWith(formatChange('p2', 2) + formatChange('p3', 3), 'end'),
      respondWith('', 'cut'),
      respondWith(formatChange('p4', 4), 'open'),
    ];

    // when
    const messages = await follow(4);

    // then
    expect(toSeqs(messages)).to.deep.equal([1, 2, 3, 4]);
    expect(lastEventIds).to.deep.equal([null, 'p1', 'p3', 'p3']);
    expect(statuses.filter((status, index) => status !== statuses[index - 1]).slice(0, 7)).to.deep.equal([
      'live',
      'broken',
      'live',
      'broken',
      'live',
      'broken',
      'live',
    ]);
  });

  it('should start at the given position and resume at a position received before the first change', async () => {
    responders = [respondWith('id: p7\n\n', 'cut'), respondWith(formatChange('p8', 8), 'open')];
    expect(toSeqs(await follow(1, 'p6'))).to.deep.equal([8]);
    expect(lastEventIds).to.deep.equal(['p6', 'p7']);
    expect(positions[0]).to.equal('p7');
  });

  it('should deliver the reset message after changes were lost', async () => {
    responders = [respondWith('id: p9\nevent: reset\ndata: {}\n\n', 'open')];
    expect(toSeqs(await follow(1, 'long ago'))).to.deep.equal(['reset']);
  });

  it('should throw the error when the server refuses the request', async () => {
    responders = [refuseWith(403)];
    const error = await follow(1).catch((failure: unknown) => failure);
    expect(error).to.be.instanceOf(ProblemError).and.include({ status: 403 });
    expect(statuses.at(-1)).to.equal('broken');
  });
});
