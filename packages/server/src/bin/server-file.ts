import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a running server says of itself to other commands on this machine. No secret. */
export interface ServerFile {
  /** Where it is reached from this machine. */
  readonly url: string;
  readonly pid: number;
}

/** Leaves a note in the data directory. @returns what takes it away again. */
export async function writeServerFile(dataDirectory: string, content: ServerFile): Promise<() => Promise<void>> {
  await mkdir(dataDirectory, { recursive: true });
  const path = pathIn(dataDirectory);
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  await rename(draft, path);
  return async () => {
    // Another server may have taken the directory over.
    if ((await readServerFile(dataDirectory))?.pid === content.pid) await rm(path, { force: true });
  };
}

/** `undefined` where no server runs on this directory, or ever did. After a crash the note is stale. */
export async function readServerFile(dataDirectory: string): Promise<ServerFile | undefined> {
  const text = await readFile(pathIn(dataDirectory), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const { url, pid } = JSON.parse(text) as Partial<ServerFile>;
    return typeof url === 'string' && typeof pid === 'number' ? { url, pid } : undefined;
  } catch {
    return undefined;
  }
}

function pathIn(dataDirectory: string): string {
  return join(dataDirectory, 'server.json');
}
