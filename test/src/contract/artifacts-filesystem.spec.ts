import { FilesystemArtifactStore } from '@countersign/artifacts-filesystem';
import { describeArtifactStore } from '@countersign/testing';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

describeArtifactStore('the artifact directory', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'countersign artifacts '));
  const open = async () => {
    const store = new FilesystemArtifactStore(
      { Artifacts: { Directory: join(directory, 'not yet', 'there') } },
      { Data: { Directory: directory } },
      log,
    );
    await store.start();
    return store;
  };
  return {
    store: await open(),
    reopen: open,
    countContents: async () => {
      const files = await readdir(directory, { recursive: true, withFileTypes: true });
      const unfinished = files.filter((file) => file.isFile() && file.parentPath.endsWith('tmp')).length;
      return { finished: files.filter((file) => file.isFile()).length - unfinished, unfinished };
    },
    damage: async (sha256) => {
      const path = join(directory, 'not yet', 'there', sha256.slice(0, 2), sha256.slice(2));
      const bytes = await readFile(path);
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
      await writeFile(path, bytes);
    },
    dispose: () => rm(directory, { recursive: true, force: true }),
  };
});
