import { expect } from 'chai';
import { mkdir, mkdtemp, readdir, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createHost } from '@countersign/core';
import { ArtifactStorePort, ReadinessCheckContribution } from '@countersign/core/plugin';
import { artifactsFilesystemPlugin } from './plugin.js';

const UUID = '01234567-89ab-4cde-8f01-23456789abcd';
/** sha256 of "hello" */
const HELLO_SHA256 = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';

describe('the filesystem artifact store', () => {
  let data: string;
  const startHost = async () => {
    const host = createHost({
      plugins: [artifactsFilesystemPlugin],
      configuration: { overrides: { Data: { Directory: data } } },
    });
    await host.start();
    return host;
  };

  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), 'countersign-data-'));
  });

  afterEach(async () => {
    await rm(data, { recursive: true, force: true });
  });

  it('should store contents by digest in the data directory, readable only by the owner of the process', async () => {
    const host = await startHost();

    await host.get(ArtifactStorePort).put(Readable.from(['hello']), 5);

    const file = join(data, 'artifacts', HELLO_SHA256.slice(0, 2), HELLO_SHA256.slice(2));
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    expect((await stat(join(data, 'artifacts'))).mode & 0o777).to.equal(0o700);
  });

  it('should not keep files open for unread, partly read or destroyed streams', async function () {
    if (process.platform !== 'linux') this.skip(); // Only Linux lists the open files in /proc.
    const openFiles = async (): Promise<string[]> => {
      const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
      return (await Promise.all(links)).filter((path) => path.startsWith(data));
    };
    const store = (await startHost()).get(ArtifactStorePort);
    const { sha256 } = await store.put(Readable.from([Buffer.alloc(1_000_000, 'x')]), 1_000_000);
    for (const range of [undefined, { start: 10, end: 999_999 }]) {
      const openStream = async (): Promise<Readable> => (await store.open(sha256, range)) as Readable;

      // when
      const unread = await openStream();
      const [fullyRead, partlyRead, destroyed] = [await openStream(), await openStream(), await openStream()];
      for await (const chunk of fullyRead) if ((chunk as Buffer).length === 0) break;
      for await (const chunk of partlyRead) if ((chunk as Buffer).length > 0) break;
      destroyed.read();
      destroyed.destroy();
      for (const each of [fullyRead, partlyRead, destroyed]) await finished(each).catch(() => undefined); // success or failure

      // then
      expect(unread.destroyed).to.equal(false);
      expect(await openFiles()).to.deep.equal([]);
    }
  });

  it('should remove abandoned temporary files when it starts, but keep recent files of other machines', async () => {
    // given: files of a dead process, an earlier process with the same id and another machine, and an unrelated file
    const tmp = join(data, 'artifacts', 'tmp');
    const host = hostname()
      .replace(/[^0-9A-Za-z-]/g, '-')
      .slice(0, 63);
    const deadProcess = `${host}.4194304.${UUID}`;
    const reusedPid = `${host}.${process.pid}.${UUID}`;
    const recentForeignFile = `elsewhere.1.${UUID}`;
    const oldForeignFile = `long-ago.1.${UUID}`;
    await mkdir(tmp, { recursive: true });
    for (const name of [deadProcess, reusedPid, recentForeignFile, oldForeignFile, 'README'])
      await writeFile(join(tmp, name), 'half');
    await utimes(join(tmp, oldForeignFile), 0, 0);

    // when
    await startHost();

    // then
    expect((await readdir(tmp)).sort()).to.deep.equal(['README', recentForeignFile].sort());
  });

  it('should repair a truncated file when the same content is stored again', async () => {
    const store = (await startHost()).get(ArtifactStorePort);
    await store.put(Readable.from(['hello']), 5);
    await writeFile(join(data, 'artifacts', HELLO_SHA256.slice(0, 2), HELLO_SHA256.slice(2)), 'hel');

    await store.put(Readable.from(['hello']), 5);

    expect(await (await store.open(HELLO_SHA256))?.toArray()).to.deep.equal([Buffer.from('hello')]);
  });

  it('should report whether the directory is writable, without naming its path', async () => {
    const host = await startHost();
    const [check] = host.getAll(ReadinessCheckContribution);
    expect(await check?.check()).to.include({ status: 'ok' });

    await rm(join(data, 'artifacts'), { recursive: true });
    await writeFile(join(data, 'artifacts'), 'a file in place of the directory');

    expect(await check?.check()).to.deep.equal({
      status: 'fail',
      detail: 'The artifact directory is not writable (ENOTDIR).',
    });
  });
});
