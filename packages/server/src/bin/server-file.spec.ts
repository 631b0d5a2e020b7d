import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readServerFile, writeServerFile } from './server-file.js';

describe('server.json, the file of a running server', () => {
  let directory: string;

  beforeEach(async () => {
    directory = join(await mkdtemp(join(tmpdir(), 'countersign-server-file-')), 'data');
  });

  afterEach(async () => {
    await rm(join(directory, '..'), { recursive: true, force: true });
  });

  it('should exist only while the server runs', async () => {
    expect(await readServerFile(directory)).to.equal(undefined);

    const removeFile = await writeServerFile(directory, { url: 'http://127.0.0.1:1', pid: 1 });
    expect(await readServerFile(directory)).to.deep.equal({ url: 'http://127.0.0.1:1', pid: 1 });

    await removeFile();
    expect(await readServerFile(directory)).to.equal(undefined);
  });

  it('should not be removed by an earlier server after a later server wrote it', async () => {
    const removeFile = await writeServerFile(directory, { url: 'http://127.0.0.1:1', pid: 1 });
    await writeServerFile(directory, { url: 'http://127.0.0.1:2', pid: 2 });

    await removeFile();

    expect(await readServerFile(directory)).to.deep.equal({ url: 'http://127.0.0.1:2', pid: 2 });
  });

  it('should count as missing when its content is invalid', async () => {
    await writeServerFile(directory, { url: 'http://127.0.0.1:1', pid: 1 });
    for (const content of ['', '{', '[]', '{"url": 5}']) {
      await writeFile(join(directory, 'server.json'), content);
      expect(await readServerFile(directory), content).to.equal(undefined);
    }
  });
});
