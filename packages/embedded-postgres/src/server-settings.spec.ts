import { expect } from 'chai';
import { settingsFileContent } from './server-settings.js';

const GB = 1024 ** 3;

describe('settingsFileContent()', () => {
  it('should give the cache a sixteenth of the memory, within what is of use', () => {
    const buffersFor = (memory: number) => /^shared_buffers = (\S+)/m.exec(settingsFileContent(memory))?.[1];

    expect([0.5 * GB, 2 * GB, 4 * GB, 8 * GB, 24 * GB, 512 * GB].map(buffersFor)).to.eql([
      '128MB',
      '128MB',
      '256MB',
      '512MB',
      '1024MB',
      '1024MB',
    ]);
  });

  it('should keep what was acknowledged, on whatever machine', () => {
    for (const memory of [GB, 512 * GB]) {
      for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes'])
        expect(settingsFileContent(memory)).to.match(new RegExp(`^${setting} = on\\b`, 'm'));
    }
  });
});
