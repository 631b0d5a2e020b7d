import { expect } from 'chai';
import { readFile, stat } from 'node:fs/promises';
import { buildLayout } from './data-directory-layout.js';
import { createTemporaryDirectories } from './embedded.spec.support.js';
import { pollUntil } from './poll.js';
import { limitServerLogSize, openServerLog, readServerLogTail } from './server-log.js';

describe('the server log', () => {
  const directories = createTemporaryDirectories();

  afterEach(() => directories.removeAll());

  it('should keep the log of the previous start', async () => {
    // given
    const layout = buildLayout(await directories.make());
    const first = await openServerLog(layout);
    await first.write('first\n');
    await first.close();

    // when
    const second = await openServerLog(layout);
    await second.write('second\n');
    await second.close();

    // then
    expect(await readFile(layout.previousLogFile, 'utf8')).to.equal('first\n');
    expect(await readServerLogTail(layout)).to.equal('second');
  });

  it('should be truncated while it is open if it becomes too large', async () => {
    // given
    const layout = buildLayout(await directories.make());
    const writer = await openServerLog(layout);
    await writer.write('x'.repeat(2000));

    // when
    const stopLimiting = limitServerLogSize(layout, 1000, 5);
    const isTruncated = await pollUntil(5000, 5, async () =>
      (await stat(layout.logFile)).size === 0 ? true : undefined,
    );

    // then
    stopLimiting();
    expect(isTruncated).to.equal(true);
    await writer.write('after truncation\n');
    await writer.close();
    expect(await readServerLogTail(layout)).to.equal('after truncation');
    expect((await stat(layout.previousLogFile)).size).to.equal(2000);
  });

  it('should return its last complete lines', async () => {
    // given
    const layout = buildLayout(await directories.make());
    const writer = await openServerLog(layout);
    await writer.write(Array.from({ length: 1000 }, (_, index) => `line ${index}\n`).join(''));
    await writer.close();

    // when
    const tail = await readServerLogTail(layout);

    // then
    expect(tail.split('\n').at(-1)).to.equal('line 999');
    expect(tail.split('\n').every((line) => /^line \d+$/.test(line))).to.equal(true);
  });
});
