import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { APPLICATION_NAME, buildConnectionString } from './application-database.js';
import { buildLayout } from './data-directory-layout.js';
import { ignoreMissing } from './node-error.js';
import { readPostmasterPidFile } from './postmaster-pid-file.js';
import { isAlive } from './process-identity.js';
import { deriveApplicationPassword } from './superuser-password.js';

/**
 * Returns the connection string of the server that another process runs on a data directory.
 *
 * @returns `undefined` if none is running
 */
export async function findRunningServer(dataDirectory: string): Promise<string | undefined> {
  const layout = buildLayout(resolve(dataDirectory));
  const pidFile = await readPostmasterPidFile(layout.cluster);
  const password = (await ignoreMissing(readFile(layout.passwordFile, 'utf8')))?.trim();
  if (pidFile?.port === undefined || password === undefined || !(await isAlive(pidFile.pid))) return undefined;
  return buildConnectionString(pidFile.port, APPLICATION_NAME, deriveApplicationPassword(password));
}
