import { expect } from 'chai';
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { VerifiedFiles } from './verified-files.js';

const HOUR = 3_600_000;

const computeSha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('VerifiedFiles', () => {
  let now: number;
  let files: VerifiedFiles;

  beforeEach(() => {
    now = Date.UTC(2026, 0, 1);
    files = new VerifiedFiles(() => now);
  });

  /** Returns a file whose timestamps report a change `changedMsAgo` ms ago. */
  function createFile(text: string, changedMsAgo: number, onRead: () => void = () => undefined) {
    const changedAt = BigInt(now - changedMsAgo);
    const times = { mtimeMs: changedAt, ctimeMs: changedAt, mtimeNs: changedAt, ctimeNs: changedAt };
    const file = {
      reads: 0,
      text,
      stat: () => Promise.resolve({ dev: 1n, ino: 2n, size: BigInt(text.length), ...times }),
      createReadStream: () => {
        file.reads += 1;
        const bytes = Buffer.from(file.text);
        onRead();
        return Readable.from([bytes]);
      },
    };
    return file;
  }
  const verify = (file: ReturnType<typeof createFile>, text: string): Promise<string | undefined> =>
    files.verify(file as unknown as FileHandle, computeSha256(text));

  it('should read a file only once while its timestamps are unchanged', async () => {
    const file = createFile('amount: 100', HOUR);
    for (let attempt = 1; attempt <= 3; attempt += 1) expect(await verify(file, 'amount: 100')).to.be.a('string');
    expect(file.reads).to.equal(1);
  });

  it('should read a recently changed file each time, because its timestamps may not show the next change', async () => {
    const file = createFile('amount: 100', 0);
    expect(await verify(file, 'amount: 100')).to.be.a('string');
    file.text = 'amount: 900';
    expect(await verify(file, 'amount: 100')).to.equal(undefined);
  });

  it('should decide whether a change is recent by the time when reading started', async () => {
    // given: a file just written, and changed while it is read, within one tick of the file system clock
    const file = createFile('amount: 100', 0, () => {
      file.text = 'amount: 900';
      now += HOUR;
    });

    // when
    expect(await verify(file, 'amount: 100')).to.be.a('string');

    // then
    expect(await verify(file, 'amount: 100')).to.equal(undefined);
  });
});
