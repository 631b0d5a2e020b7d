import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Data about a running server, for other commands on this machine. Contains no secrets. */
export interface ServerFile {
  /** URL of the server from this machine. */
  readonly url: string;
  readonly pid: number;
}

/**
 * Writes the server file to the data directory.
 *
 * @returns a function that removes the file
 */
export async function writeServerFile(dataDirectory: string, content: ServerFile): Promise<() => Promise<void>> {
  await mkdir(dataDirectory, { recursive: true });
  const path = getServerFilePath(dataDirectory);
  const temporaryPath = `${path}.${process.pid}`;
  await writeFile(temporaryPath, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  await rename(temporaryPath, path);
  return async () => {
    // Another server may use the directory by then.
    if ((await readServerFile(dataDirectory))?.pid === content.pid) await rm(path, { force: true });
  };
}

/** Reads the server file; `undefined` if there is none or it is not valid. After a crash the file is stale. */
export async function readServerFile(dataDirectory: string): Promise<ServerFile | undefined> {
  const text = await readFile(getServerFilePath(dataDirectory), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const { url, pid } = JSON.parse(text) as Partial<ServerFile>;
    return typeof url === 'string' && typeof pid === 'number' ? { url, pid } : undefined;
  } catch {
    return undefined;
  }
}

function getServerFilePath(dataDirectory: string): string {
  return join(dataDirectory, 'server.json');
}
