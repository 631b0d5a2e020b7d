import { expect } from 'chai';
import { buildSettingsFile } from './server-settings.js';

const GB = 1024 ** 3;

describe('buildSettingsFile', () => {
  it('should set shared_buffers to a sixteenth of the memory, between 128 MB and 1 GB', () => {
    const getConfiguredBuffers = (memory: number) => /^shared_buffers = (\S+)/m.exec(buildSettingsFile(memory))?.[1];

    expect([0.5 * GB, 2 * GB, 4 * GB, 8 * GB, 24 * GB, 512 * GB].map(getConfiguredBuffers)).to.eql([
      '128MB',
      '128MB',
      '256MB',
      '512MB',
      '1024MB',
      '1024MB',
    ]);
  });

  it('should keep the durability settings on for every memory size', () => {
    for (const memory of [GB, 512 * GB]) {
      for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes'])
        expect(buildSettingsFile(memory)).to.match(new RegExp(`^${setting} = on\\b`, 'm'));
    }
  });
});
