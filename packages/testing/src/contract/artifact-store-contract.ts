import type { ArtifactStorePort } from '@countersign/core/plugin';
import { expect } from 'chai';
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

export interface ArtifactStoreUnderTest {
  readonly store: ArtifactStorePort;
  /** Returns the number of completely and partly stored contents. Omitted if they cannot be counted from outside. */
  countContents?(): Promise<{ finished: number; unfinished: number }>;
  /** Alters stored content directly, bypassing the store, and keeps its length. */
  damage(sha256: string): Promise<void>;
  /** Opens a second store at the same location, as after a restart. */
  reopen(): Promise<ArtifactStorePort>;
  dispose(): Promise<void>;
}

/** Tests the contract of an artifact store. Must be called in a Mocha spec. */
export function describeArtifactStore(name: string, create: () => Promise<ArtifactStoreUnderTest>): void {
  describe(`${name} as an ArtifactStorePort`, () => {
    let subject: ArtifactStoreUnderTest;

    beforeEach(async () => {
      subject = await create();
    });

    afterEach(async () => {
      await subject.dispose();
    });

    it('should store content under its SHA-256 digest and return the same bytes', async () => {
      const bytes = randomBytes(300_000);

      const stored = await subject.store.put(toChunkStream(bytes, 65_536), 1_000_000);

      expect(stored).to.deep.equal({ sha256: sha256(bytes), size: 300_000 });
      expect(await read(subject.store, stored.sha256)).to.deep.equal(bytes);
    });

    it('should accept empty content and strings', async () => {
      const empty = await subject.store.put(Readable.from([]), 10);
      const text = await subject.store.put(Readable.from(['Grüße']), 10);

      expect(empty).to.deep.equal({ sha256: sha256(Buffer.alloc(0)), size: 0 });
      expect(text).to.deep.equal({ sha256: sha256(Buffer.from('Grüße')), size: 7 });
      expect(await read(subject.store, empty.sha256)).to.have.length(0);
    });

    it('should return byte ranges with both ends included', async () => {
      const { sha256: digest } = await subject.store.put(Readable.from([Buffer.from('0123456789')]), 10);

      expect(String(await read(subject.store, digest, { start: 0, end: 0 }))).to.equal('0');
      expect(String(await read(subject.store, digest, { start: 3, end: 5 }))).to.equal('345');
      expect(String(await read(subject.store, digest, { start: 9, end: 9 }))).to.equal('9');
    });

    it('should accept content of exactly the maximum size', async () => {
      const bytes = randomBytes(1000);

      expect(await subject.store.put(toChunkStream(bytes, 300), 1000)).to.have.property('size', 1000);
    });

    it('should refuse content above the maximum size and store none of it', async () => {
      const bytes = randomBytes(5000);
      const source = toChunkStream(bytes, 300);

      const error = await getRejection(subject.store.put(source, 1000));

      expect(error).to.have.property('code', 'payload_too_large');
      expect(source.destroyed, 'the store must not close the source').to.equal(false);
      expect(await subject.store.open(sha256(bytes))).to.equal(undefined);
      await expectContents({ finished: 0, unfinished: 0 });
    });

    it('should fail when the source fails and store none of its content', async () => {
      const source = Readable.from(
        (async function* () {
          yield Buffer.from('a beginning');
          await Promise.resolve();
          throw new Error('the sender went away');
        })(),
      );

      expect(await getRejection(subject.store.put(source, 1000))).to.have.property('message', 'the sender went away');
      await expectContents({ finished: 0, unfinished: 0 });
    });

    it('should store the same bytes only once, even if they are put concurrently', async () => {
      const bytes = randomBytes(10_000);

      const stored = await Promise.all(
        Array.from({ length: 8 }, () => subject.store.put(toChunkStream(bytes, 999), 10_000)),
      );

      expect(new Set(stored.map((content) => content.sha256))).to.deep.equal(new Set([sha256(bytes)]));
      expect(await read(subject.store, sha256(bytes))).to.deep.equal(bytes);
      await expectContents({ finished: 1, unfinished: 0 });
    });

    it('should return undefined for an unknown or malformed digest', async () => {
      for (const digest of ['0'.repeat(64), '', '../../etc/passwd', 'A'.repeat(64), `${'0'.repeat(63)}/`]) {
        expect(await subject.store.open(digest), digest).to.equal(undefined);
      }
    });

    it('should return stored content after a restart', async () => {
      const { sha256: digest } = await subject.store.put(Readable.from(['kept']), 10);

      const reopened = await subject.reopen();

      expect(String(await read(reopened, digest))).to.equal('kept');
    });

    it('should refuse to return altered content, whole or in part, until the content is put again', async () => {
      const bytes = randomBytes(300_000);
      const { sha256: digest } = await subject.store.put(toChunkStream(bytes, 65_536), 1_000_000);
      expect(await read(subject.store, digest)).to.deep.equal(bytes);

      await subject.damage(digest);

      for (const store of [subject.store, await subject.reopen()]) {
        expect(await getRejection(store.open(digest))).to.have.property('code', 'artifact_damaged');
        expect(await getRejection(store.open(digest, { start: 0, end: 9 }))).to.have.property(
          'code',
          'artifact_damaged',
        );
      }
      await subject.store.put(toChunkStream(bytes, 65_536), 1_000_000);
      expect(await read(subject.store, digest)).to.deep.equal(bytes);
    });

    it('should fail before the end when the content is altered during a read, whole or in part', async () => {
      const bytes = randomBytes(5_000_000);
      for (const range of [undefined, { start: 10, end: 4_999_999 }]) {
        // given: content that is partly read
        const { sha256: digest } = await subject.store.put(toChunkStream(bytes, 65_536), bytes.length);
        const content = await subject.store.open(digest, range);
        const iterator = content?.[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
        let receivedBytes = ((await iterator.next()).value as Buffer).length;

        // when
        await subject.damage(digest);
        const readRest = async (): Promise<void> => {
          for (let chunk = await iterator.next(); chunk.done !== true; chunk = await iterator.next())
            receivedBytes += chunk.value.length;
        };

        // then
        expect(await getRejection(readRest())).to.have.property('code', 'artifact_damaged');
        expect(receivedBytes).to.be.below(bytes.length - (range?.start ?? 0));
      }
    });

    it('should leave no content behind after a check', async () => {
      await subject.store.check();

      await expectContents({ finished: 0, unfinished: 0 });
    });

    async function expectContents(expected: { finished: number; unfinished: number }): Promise<void> {
      if (subject.countContents !== undefined) expect(await subject.countContents()).to.deep.equal(expected);
    }
  });
}

function toChunkStream(bytes: Buffer, size: number): Readable {
  const chunks: Buffer[] = [];
  for (let offset = 0; offset < bytes.length; offset += size) chunks.push(bytes.subarray(offset, offset + size));
  return Readable.from(chunks);
}

async function read(
  store: ArtifactStorePort,
  digest: string,
  range?: { start: number; end: number },
): Promise<Buffer | undefined> {
  const content = await store.open(digest, range);
  return content === undefined ? undefined : buffer(content);
}

async function getRejection(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('The operation did not fail.');
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
