import { join } from 'node:path';

/** Paths in the data directory of the embedded database. */
export interface DataDirectoryLayout {
  readonly root: string;
  /** PostgreSQL's own directory (`PGDATA`). */
  readonly cluster: string;
  /**
   * File with the superuser's password, mode 0600. Outside the cluster directory, so that the user that runs PostgreSQL
   * cannot read it.
   */
  readonly passwordFile: string;
  readonly logFile: string;
  readonly previousLogFile: string;
}

/** Prefix of the directories of unfinished clusters. No server has ever used them, so they may be deleted. */
export const UNFINISHED_PREFIX = 'cluster-unfinished-';

export function buildLayout(dataDirectory: string): DataDirectoryLayout {
  return {
    root: dataDirectory,
    cluster: join(dataDirectory, 'cluster'),
    passwordFile: join(dataDirectory, 'superuser-password'),
    logFile: join(dataDirectory, 'postgres.log'),
    previousLogFile: join(dataDirectory, 'postgres.log.1'),
  };
}
