import { expect } from 'chai';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { makeTestDirectory } from './test-directory.js';

// eslint-disable-next-line no-restricted-syntax -- file times come from the system clock
const AN_HOUR_AGO = new Date(Date.now() - 3_600_000);

describe('makeTestDirectory', () => {
  it('should remove abandoned directories but keep directories that may be in use', async () => {
    // given
    const testDirectory = await makeTestDirectory();
    const prefix = join(tmpdir(), basename(testDirectory).slice(0, -6));
    const [abandoned, starting, running] = await Promise.all([mkdtemp(prefix), mkdtemp(prefix), mkdtemp(prefix)]);
    for (const directory of [abandoned, running]) {
      await writeFile(join(directory, 'lock'), '');
      await utimes(directory, AN_HOUR_AGO, AN_HOUR_AGO);
    }
    await utimes(join(abandoned, 'lock'), AN_HOUR_AGO, AN_HOUR_AGO);

    // when
    const another = await makeTestDirectory();

    // then
    expect([abandoned, starting, running, testDirectory, another].map((each) => existsSync(each))).to.deep.equal([
      false,
      true,
      true,
      true,
      true,
    ]);
    expect(dirname(another)).to.equal(dirname(testDirectory));
    for (const directory of [starting, running, testDirectory, another]) await rm(directory, { recursive: true });
  });
});
