import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createGzip } from 'node:zlib';
import { isOutboundHttpError, type OutboundStream } from '@countersign/core/plugin';
import { expect } from 'chai';
import { createGuardedHttp, TestServers } from './guarded-http.spec.support.js';

const TOKEN = 'canary-7d1e02';
const credential = { type: 'bearer', secret: { reveal: () => TOKEN } } as const;

describe('a streamed response', () => {
  let servers: TestServers;
  let response: ServerResponse | undefined;
  let url: string;

  beforeEach(async () => {
    servers = new TestServers();
    response = undefined;
    url = `http://127.0.0.1:${await servers.startHttp((_, serverResponse) => {
      response = serverResponse;
      serverResponse.writeHead(200, { 'Content-Type': 'text/event-stream', 'X-Echo': TOKEN });
      serverResponse.flushHeaders();
    })}/`;
  });

  afterEach(() => servers.close());

  const readStream = (stream: OutboundStream): AsyncIterator<Buffer> => stream.body[Symbol.asyncIterator]();
  const readNext = async (parts: AsyncIterator<Buffer>): Promise<string | undefined> => {
    const { value, done } = await parts.next();
    return done === true ? undefined : String(value);
  };
  const captureFailure = async (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'nothing',
      (error: unknown) => error,
    );

  it('should be returned after its headers, and be readable while it arrives', async () => {
    // when
    const stream = await createGuardedHttp().stream(url);
    const parts = readStream(stream);

    // then
    expect(stream).to.include({ status: 200, url });
    for (const text of ['one', 'two']) {
      response?.write(text);
      expect(await readNext(parts)).to.equal(text);
    }
    response?.end();
    expect(await readNext(parts)).to.equal(undefined);
  });

  it('should close its connection when it is closed, before or during reading', async () => {
    const { stream } = createGuardedHttp();
    for (const isRead of [false, true]) {
      const openStream = await stream(url);
      const closed = once(response!, 'close');
      const parts = isRead ? readNext(readStream(openStream)) : undefined;
      openStream.close();

      await closed;
      expect(await parts).to.equal(undefined);
    }
  });

  it('should close its connection when the reader leaves the loop', async () => {
    const { body } = await createGuardedHttp().stream(url);
    const closed = once(response!, 'close');
    response?.write('one');

    for await (const part of body) {
      expect(String(part)).to.equal('one');
      break;
    }

    await closed;
  });

  it('should end at the time limit even if it is not read', async () => {
    const stream = await createGuardedHttp().stream(url, { timeoutMs: 50 });
    await once(response!, 'close');

    const error = await captureFailure(readNext(readStream(stream)));

    expect(isOutboundHttpError(error) && error.code).to.equal('outbound_timeout');
  });

  it('should fail with the reason of the abort', async () => {
    const controller = new AbortController();
    const parts = readStream(await createGuardedHttp().stream(url, { signal: controller.signal }));
    const pendingFailure = captureFailure(readNext(parts));
    const reason = new Error('cancelled');

    controller.abort(reason);

    expect(await pendingFailure).to.equal(reason);
  });

  describe('without a content length', () => {
    let rawUrl: string;
    let socket: Socket | undefined;
    beforeEach(async () => {
      rawUrl = `http://127.0.0.1:${await servers.startTcp((acceptedSocket) => {
        socket = acceptedSocket;
        acceptedSocket.once('data', () => acceptedSocket.write('HTTP/1.1 200 OK\r\n\r\none'));
      })}/`;
    });

    it('should end when its connection ends', async () => {
      const parts = readStream(await createGuardedHttp().stream(rawUrl));

      expect(await readNext(parts)).to.equal('one');
      socket?.end();
      expect(await readNext(parts)).to.equal(undefined);
    });

    it('should fail at the time limit instead of appearing complete', async () => {
      const parts = readStream(await createGuardedHttp().stream(rawUrl, { timeoutMs: 100 }));
      expect(await readNext(parts)).to.equal('one');

      const error = await captureFailure(readNext(parts));

      expect(isOutboundHttpError(error) && error.code).to.equal('outbound_timeout');
    });

    it('should fail on abort instead of appearing complete', async () => {
      const controller = new AbortController();
      const parts = readStream(await createGuardedHttp().stream(rawUrl, { signal: controller.signal }));
      expect(await readNext(parts)).to.equal('one');
      const reason = new Error('cancelled');
      const pendingFailure = captureFailure(readNext(parts));

      controller.abort(reason);

      expect(await pendingFailure).to.equal(reason);
    });
  });

  it('should close its connection when the reader stops before the first chunk', async () => {
    const parts = readStream(await createGuardedHttp().stream(url));
    const closed = once(response!, 'close');

    await parts.return?.();

    await closed;
  });

  it('should be refused if it exceeds maxBytes', async () => {
    const parts = readStream(await createGuardedHttp().stream(url, { maxBytes: 10 }));
    response?.write('x'.repeat(11));

    const error = await captureFailure(readNext(parts));

    expect(isOutboundHttpError(error) && error.code).to.equal('outbound_response_too_large');
  });

  it('should fail if the connection is lost', async () => {
    const parts = readStream(await createGuardedHttp().stream(url));
    response?.write('one');
    expect(await readNext(parts)).to.equal('one');
    response?.destroy();

    const error = await captureFailure(readNext(parts));

    expect(isOutboundHttpError(error) && error.code).to.equal('outbound_connection_lost');
  });

  it('should hide an echoed secret at any chunk boundary, without withholding other text', async () => {
    for (let cut = 1; cut < TOKEN.length; cut += 1) {
      const stream = await createGuardedHttp().stream(url, { credential });
      const parts = readStream(stream);
      const [left, right] = [TOKEN.slice(0, cut), TOKEN.slice(cut)];

      response?.write(`before ${left}`);
      let text = (await readNext(parts)) ?? '';
      response?.write(`${right} after`);
      while (!text.endsWith('after')) text += await readNext(parts);

      expect(text, `cut after ${cut}`).to.equal('before [secret] after');
      expect(stream.headers['x-echo']).to.equal('[secret]');
      stream.close();
    }
  });

  it('should not hide an incomplete secret at its end', async () => {
    const parts = readStream(await createGuardedHttp().stream(url, { credential }));
    response?.end('it is a canary-');

    let text = '';
    for (let part = await readNext(parts); part !== undefined; part = await readNext(parts)) text += part;

    expect(text).to.equal('it is a canary-');
  });

  it('should be decompressed while it arrives', async () => {
    const gzip = createGzip();
    const port = await servers.startHttp((_, serverResponse) => {
      serverResponse.writeHead(200, { 'Content-Encoding': 'gzip' }).flushHeaders();
      gzip.pipe(serverResponse);
    });
    const parts = readStream(await createGuardedHttp().stream(`http://127.0.0.1:${port}/`));

    for (const text of ['one', 'two']) {
      gzip.write(text);
      gzip.flush();
      expect(await readNext(parts)).to.equal(text);
    }
    gzip.end();
    expect(await readNext(parts)).to.equal(undefined);
  });

  it('should be refused for a private address like any other request', async () => {
    const error = await captureFailure(createGuardedHttp({ networks: [] }).stream(url));

    expect(isOutboundHttpError(error) && error.code).to.equal('outbound_address_not_allowed');
    expect(servers.received).to.eql([]);
  });
});
