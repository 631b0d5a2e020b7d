import { join } from 'node:path';

/** What stands where in the embedded database's data directory. */
export interface DataDirectoryLayout {
  readonly root: string;
  /** PostgreSQL's own directory (`PGDATA`). */
  readonly cluster: string;
  /** The superuser's password, mode 0600. It stands beside the cluster, so that the user PostgreSQL runs as can't read it. */
  readonly passwordFile: string;
  readonly logFile: string;
  readonly previousLogFile: string;
}

/** Half-finished clusters have this prefix. Nothing was ever served from one, so they may be deleted. */
export const UNFINISHED_PREFIX = 'cluster-unfinished-';

export function layoutOf(dataDirectory: string): DataDirectoryLayout {
  return {
    root: dataDirectory,
    cluster: join(dataDirectory, 'cluster'),
    passwordFile: join(dataDirectory, 'superuser-password'),
    logFile: join(dataDirectory, 'postgres.log'),
    previousLogFile: join(dataDirectory, 'postgres.log.1'),
  };
}
