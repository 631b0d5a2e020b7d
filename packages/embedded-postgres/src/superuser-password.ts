import { createHmac, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { ignoreMissing } from './node-error.js';
import { writeDurably } from './durable-file.js';
import type { DataDirectoryLayout } from './data-directory-layout.js';

/** Reads the superuser's password, or creates it if there is no cluster yet. */
export async function ensureSuperuserPassword(layout: DataDirectoryLayout, clusterExists: boolean): Promise<string> {
  const stored = (await ignoreMissing(readFile(layout.passwordFile, 'utf8')))?.trim();
  if (stored !== undefined && stored !== '') return stored;
  if (clusterExists) {
    throw new EmbeddedPostgresError(
      'embedded_postgres_failed',
      `The database in ${layout.root} exists, but its password file ${layout.passwordFile} is missing. Restore the file from a backup of this database. Without a backup, reset the password in PostgreSQL's single-user mode.`,
    );
  }
  const password = randomBytes(32).toString('base64url');
  await writeDurably(layout.passwordFile, `${password}\n`, { mode: 0o600 });
  return password;
}

/** Derives the password of the application's role from that of the superuser; the reverse is not possible. */
export function deriveApplicationPassword(superuserPassword: string): string {
  return createHmac('sha256', superuserPassword).update('countersign application role').digest('base64url');
}
