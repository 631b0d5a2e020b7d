import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ApiError, isApiError } from '@countersign/core';
import { expect } from 'chai';
import { CallerGoneError, readBody } from './read-body.js';
import { uploadStream } from './upload-stream.js';

function request(headers: Record<string, string> = {}): PassThrough & IncomingMessage {
  return Object.assign(new PassThrough(), { headers, complete: false }) as unknown as PassThrough & IncomingMessage;
}

async function failureOf(attempt: Promise<unknown>): Promise<unknown> {
  return attempt.then(
    () => undefined,
    (error: unknown) => (isApiError(error) ? error.code : error),
  );
}

describe('readBody()', () => {
  it('should read a body that arrives in several chunks', async () => {
    const incoming = request();
    const body = readBody(incoming, { maxBytes: 10, timeoutMs: 1000 });
    incoming.write('ab');
    incoming.end('c');
    expect((await body).toString()).to.equal('abc');
  });

  it('should refuse a body that is longer than the limit or takes too long', async () => {
    const long = request();
    const tooLong = failureOf(readBody(long, { maxBytes: 2, timeoutMs: 1000 }));
    long.write('abc');
    expect(await tooLong).to.equal('payload_too_large');
    expect(await failureOf(readBody(request(), { maxBytes: 2, timeoutMs: 1 }))).to.equal('request_timeout');
    expect(
      await failureOf(
        Promise.resolve().then(() => readBody(request({ 'content-length': '3' }), { maxBytes: 2, timeoutMs: 1 })),
      ),
    ).to.equal('payload_too_large');
  });

  it('should fail when the caller disconnects', async () => {
    const incoming = request();
    const body = failureOf(readBody(incoming, { maxBytes: 10, timeoutMs: 1000 }));
    incoming.write('ab');
    incoming.destroy();
    expect(await body).to.be.instanceOf(CallerGoneError);
  });
});

describe('uploadStream()', () => {
  it('should pass the bytes to the consumer', async () => {
    const incoming = request();
    incoming.end('abc');
    expect(String(await uploadStream(incoming, (content) => buffer(content)))).to.equal('abc');
  });

  it('should fail when no bytes arrive in time or the caller disconnects, even before reading starts', async () => {
    expect(await failureOf(uploadStream(request(), (content) => buffer(content), 1))).to.equal('request_timeout');
    const left = request();
    const used = failureOf(uploadStream(left, (content) => buffer(content)));
    left.write('ab');
    left.destroy();
    expect(await used).to.be.instanceOf(CallerGoneError);

    const late = request();
    late.destroy();
    const read = async (content: Readable): Promise<Buffer> => {
      await new Promise(setImmediate);
      return buffer(content);
    };
    expect(await failureOf(uploadStream(late, read))).to.be.instanceOf(CallerGoneError);
  });

  it('should keep the request open when the consumer refuses the content', async () => {
    const incoming = request();
    incoming.write('abc');
    const refuse = async (content: Readable): Promise<never> => {
      content.destroy();
      throw new ApiError('payload_too_large', 'No.');
    };
    expect(await failureOf(uploadStream(incoming, refuse))).to.equal('payload_too_large');
    expect(incoming.destroyed).to.equal(false);
  });
});
