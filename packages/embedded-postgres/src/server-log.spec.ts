import { expect } from 'chai';
import { readFile, stat } from 'node:fs/promises';
import { layoutOf } from './data-directory-layout.js';
import { temporaryDirectories } from './embedded.spec.support.js';
import { poll } from './poll.js';
import { boundServerLog, openServerLog, serverLogTail } from './server-log.js';

describe('the server log', () => {
  const directories = temporaryDirectories();

  afterEach(() => directories.removeAll());

  it('should keep the log of the previous start', async () => {
    // given
    const layout = layoutOf(await directories.make());
    const first = await openServerLog(layout);
    await first.write('first\n');
    await first.close();

    // when
    const second = await openServerLog(layout);
    await second.write('second\n');
    await second.close();

    // then
    expect(await readFile(layout.previousLogFile, 'utf8')).to.equal('first\n');
    expect(await serverLogTail(layout)).to.equal('second');
  });

  it('should be truncated while it is open if it gets too large', async () => {
    // given
    const layout = layoutOf(await directories.make());
    const writer = await openServerLog(layout);
    await writer.write('x'.repeat(2000));

    // when
    const stop = boundServerLog(layout, 1000, 5);
    const cut = await poll(5000, 5, async () => ((await stat(layout.logFile)).size === 0 ? true : undefined));

    // then
    stop();
    expect(cut).to.equal(true);
    await writer.write('goes on\n');
    await writer.close();
    expect(await serverLogTail(layout)).to.equal('goes on');
    expect((await stat(layout.previousLogFile)).size).to.equal(2000);
  });

  it('should return its last complete lines', async () => {
    // given
    const layout = layoutOf(await directories.make());
    const writer = await openServerLog(layout);
    await writer.write(Array.from({ length: 1000 }, (_, index) => `line ${index}\n`).join(''));
    await writer.close();

    // when
    const tail = await serverLogTail(layout);

    // then
    expect(tail.split('\n').at(-1)).to.equal('line 999');
    expect(tail.split('\n').every((line) => /^line \d+$/.test(line))).to.equal(true);
  });
});
