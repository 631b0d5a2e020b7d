import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createGzip } from 'node:zlib';
import { isOutboundHttpError, type OutboundStream } from '@countersign/core/plugin';
import { expect } from 'chai';
import { guard, Servers } from './guarded-http.spec.support.js';

const TOKEN = 'canary-7d1e02';
const credential = { type: 'bearer', secret: { reveal: () => TOKEN } } as const;

describe('a streamed response', () => {
  let servers: Servers;
  let response: ServerResponse | undefined;
  let url: string;

  beforeEach(async () => {
    servers = new Servers();
    response = undefined;
    url = `http://127.0.0.1:${await servers.http((_, given) => {
      response = given;
      given.writeHead(200, { 'Content-Type': 'text/event-stream', 'X-Echo': TOKEN });
      given.flushHeaders();
    })}/`;
  });

  afterEach(() => servers.close());

  const reader = (stream: OutboundStream): AsyncIterator<Buffer> => stream.body[Symbol.asyncIterator]();
  const next = async (parts: AsyncIterator<Buffer>): Promise<string | undefined> => {
    const { value, done } = await parts.next();
    return done === true ? undefined : String(value);
  };
  const failure = async (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'nothing',
      (error: unknown) => error,
    );

  it('should be returned after its headers, and be readable while it arrives', async () => {
    // when
    const stream = await guard().stream(url);
    const parts = reader(stream);

    // then
    expect(stream).to.include({ status: 200, url });
    for (const text of ['one', 'two']) {
      response?.write(text);
      expect(await next(parts)).to.equal(text);
    }
    response?.end();
    expect(await next(parts)).to.equal(undefined);
  });

  it('should close its connection when it is closed, before or during reading', async () => {
    const { stream } = guard();
    for (const isRead of [false, true]) {
      const open = await stream(url);
      const gone = once(response!, 'close');
      const parts = isRead ? next(reader(open)) : undefined;
      open.close();

      await gone;
      expect(await parts).to.equal(undefined);
    }
  });

  it('should close its connection when the reader leaves the loop', async () => {
    const { body } = await guard().stream(url);
    const gone = once(response!, 'close');
    response?.write('one');

    for await (const part of body) {
      expect(String(part)).to.equal('one');
      break;
    }

    await gone;
  });

  it('should end at the time limit even if it is not read', async () => {
    const stream = await guard().stream(url, { timeoutMs: 50 });
    await once(response!, 'close');

    const error = await failure(next(reader(stream)));

    expect(isOutboundHttpError(error) && error.code).to.equal('outbound_timeout');
  });

  it('should fail with the reason of the abort', async () => {
    const cancel = new AbortController();
    const parts = reader(await guard().stream(url, { signal: cancel.signal }));
    const waiting = failure(next(parts));
    const reason = new Error('cancelled');

    cancel.abort(reason);

    expect(await waiting).to.equal(reason);
  });

  describe('without a content length', () => {
    let raw: string;
    let socket: Socket | undefined;
    beforeEach(async () => {
      raw = `http://127.0.0.1:${await servers.tcp((given) => {
        socket = given;
        given.once('data', () => given.write('HTTP/1.1 200 OK\r\n\r\none'));
      })}/`;
    });

    it('should end when its connection ends', async () => {
      const parts = reader(await guard().stream(raw));

      expect(await next(parts)).to.equal('one');
      socket?.end();
      expect(await next(parts)).to.equal(undefined);
    });

    it('should fail at the time limit instead of appearing complete', async () => {
      const parts = reader(await guard().stream(raw, { timeoutMs: 100 }));
      expect(await next(parts)).to.equal('one');

      const error = await failure(next(parts));

      expect(isOutboundHttpError(error) && error.code).to.equal('outbound_timeout');
    });

    it('should fail on abort instead of appearing complete', async () => {
      const cancel = new AbortController();
      const parts = reader(await guard().stream(raw, { signal: cancel.signal }));
      expect(await next(parts)).to.equal('one');
      const reason = new Error('cancelled');
      const waiting = failure(next(parts));

      cancel.abort(reason);

      expect(await waiting).to.equal(reason);
    });
  });

  it('should close its connection when the reader stops before the first chunk', async () => {
    const parts = reader(await guard().stream(url));
    const gone = once(response!, 'close');

    await parts.return?.();

    await gone;
  });

  it('should be refused if it exceeds maxBytes', async () => {
    const parts = reader(await guard().stream(url, { maxBytes: 10 }));
    response?.write('x'.repeat(11));

    const error = await failure(next(parts));

    expect(isOutboundHttpError(error) && error.code).to.equal('outbound_response_too_large');
  });

  it('should fail if the connection is lost', async () => {
    const parts = reader(await guard().stream(url));
    response?.write('one');
    expect(await next(parts)).to.equal('one');
    response?.destroy();

    const error = await failure(next(parts));

    expect(isOutboundHttpError(error) && error.code).to.equal('outbound_connection_lost');
  });

  it('should hide an echoed secret at any chunk boundary, without withholding other text', async () => {
    for (let cut = 1; cut < TOKEN.length; cut += 1) {
      const stream = await guard().stream(url, { credential });
      const parts = reader(stream);
      const [left, right] = [TOKEN.slice(0, cut), TOKEN.slice(cut)];

      response?.write(`before ${left}`);
      let text = (await next(parts)) ?? '';
      response?.write(`${right} behind`);
      while (!text.endsWith('behind')) text += await next(parts);

      expect(text, `cut after ${cut}`).to.equal('before [secret] behind');
      expect(stream.headers['x-echo']).to.equal('[secret]');
      stream.close();
    }
  });

  it('should show an incomplete secret at its end', async () => {
    const parts = reader(await guard().stream(url, { credential }));
    response?.end('it is a canary-');

    let text = '';
    for (let part = await next(parts); part !== undefined; part = await next(parts)) text += part;

    expect(text).to.equal('it is a canary-');
  });

  it('should be decompressed while it arrives', async () => {
    const gzip = createGzip();
    const port = await servers.http((_, given) => {
      given.writeHead(200, { 'Content-Encoding': 'gzip' }).flushHeaders();
      gzip.pipe(given);
    });
    const parts = reader(await guard().stream(`http://127.0.0.1:${port}/`));

    for (const text of ['one', 'two']) {
      gzip.write(text);
      gzip.flush();
      expect(await next(parts)).to.equal(text);
    }
    gzip.end();
    expect(await next(parts)).to.equal(undefined);
  });

  it('should be refused for a private address like any other request', async () => {
    const error = await failure(guard({ networks: [] }).stream(url));

    expect(isOutboundHttpError(error) && error.code).to.equal('outbound_address_not_allowed');
    expect(servers.received).to.eql([]);
  });
});
