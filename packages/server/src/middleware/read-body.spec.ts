import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ApiError, isApiError } from '@countersign/core';
import { expect } from 'chai';
import { ClientDisconnectedError, readBody } from './read-body.js';
import { readUpload } from './read-upload.js';

function createRequest(headers: Record<string, string> = {}): PassThrough & IncomingMessage {
  return Object.assign(new PassThrough(), { headers, complete: false }) as unknown as PassThrough & IncomingMessage;
}

async function getFailure(attempt: Promise<unknown>): Promise<unknown> {
  return attempt.then(
    () => undefined,
    (error: unknown) => (isApiError(error) ? error.code : error),
  );
}

describe('readBody()', () => {
  it('should read a body that arrives in several chunks', async () => {
    const incoming = createRequest();
    const body = readBody(incoming, { maxBytes: 10, timeoutMs: 1000 });
    incoming.write('ab');
    incoming.end('c');
    expect((await body).toString()).to.equal('abc');
  });

  it('should refuse a body that is longer than the limit or takes too long', async () => {
    const longRequest = createRequest();
    const lengthFailure = getFailure(readBody(longRequest, { maxBytes: 2, timeoutMs: 1000 }));
    longRequest.write('abc');
    expect(await lengthFailure).to.equal('payload_too_large');
    expect(await getFailure(readBody(createRequest(), { maxBytes: 2, timeoutMs: 1 }))).to.equal('request_timeout');
    expect(
      await getFailure(
        Promise.resolve().then(() => readBody(createRequest({ 'content-length': '3' }), { maxBytes: 2, timeoutMs: 1 })),
      ),
    ).to.equal('payload_too_large');
  });

  it('should fail when the caller disconnects', async () => {
    const incoming = createRequest();
    const body = getFailure(readBody(incoming, { maxBytes: 10, timeoutMs: 1000 }));
    incoming.write('ab');
    incoming.destroy();
    expect(await body).to.be.instanceOf(ClientDisconnectedError);
  });
});

describe('readUpload()', () => {
  it('should pass the bytes to the consumer', async () => {
    const incoming = createRequest();
    incoming.end('abc');
    expect(String(await readUpload(incoming, (content) => buffer(content)))).to.equal('abc');
  });

  it('should fail when no bytes arrive in time or the caller disconnects, even before reading starts', async () => {
    expect(await getFailure(readUpload(createRequest(), (content) => buffer(content), 1))).to.equal('request_timeout');
    const abandonedRequest = createRequest();
    const abandonedFailure = getFailure(readUpload(abandonedRequest, (content) => buffer(content)));
    abandonedRequest.write('ab');
    abandonedRequest.destroy();
    expect(await abandonedFailure).to.be.instanceOf(ClientDisconnectedError);

    const closedRequest = createRequest();
    closedRequest.destroy();
    const readAfterDelay = async (content: Readable): Promise<Buffer> => {
      await new Promise(setImmediate);
      return buffer(content);
    };
    expect(await getFailure(readUpload(closedRequest, readAfterDelay))).to.be.instanceOf(ClientDisconnectedError);
  });

  it('should keep the request open when the consumer refuses the content', async () => {
    const incoming = createRequest();
    incoming.write('abc');
    const refuseContent = async (content: Readable): Promise<never> => {
      content.destroy();
      throw new ApiError('payload_too_large', 'The upload is too large.');
    };
    expect(await getFailure(readUpload(incoming, refuseContent))).to.equal('payload_too_large');
    expect(incoming.destroyed).to.equal(false);
  });
});
