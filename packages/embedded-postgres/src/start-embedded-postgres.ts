import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { APPLICATION_NAME, ensureApplicationDatabase } from './application-database.js';
import { locateBinaries, readBinariesVersion } from './binaries.js';
import { lockDataDirectory } from './data-directory-lock.js';
import { buildLayout } from './data-directory-layout.js';
import type { EmbeddedLog } from './embedded-log.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { toEmbeddedPostgresError } from './to-embedded-postgres-error.js';
import { assertPortFree, findFreePort } from './free-port.js';
import { clusterExists, initialiseCluster, writeSettings } from './initialise-cluster.js';
import { clearLeftoverServer } from './leftover-server.js';
import { PortLostError, startPostmaster, type Postmaster, type PostmasterOptions } from './postmaster.js';
import { ensureReadableBinaries } from './readable-binaries.js';
import { limitServerLogSize } from './server-log.js';
import { stopPostmaster } from './stop-postmaster.js';
import { SupervisedPostmaster, type PostmasterControl } from './supervised-postmaster.js';
import { ensureSuperuserPassword } from './superuser-password.js';
import { choosePostgresUser } from './unprivileged-user.js';

export interface EmbeddedPostgresOptions {
  /** Separate directory for the database, such as `data/postgres`. It is created if needed. */
  readonly dataDirectory: string;
  readonly log: EmbeddedLog;
  /** Port on 127.0.0.1; a free one by default. */
  readonly port?: number | undefined;
}

/** PostgreSQL server that this process runs. */
export interface EmbeddedPostgres {
  /**
   * Connection string of the database `countersign` for its owner, who is not a superuser. It contains a password and
   * must not be logged.
   */
  readonly connectionString: string;
  readonly port: number;
  /** For example `18.4`. */
  readonly version: string;
  /** Stops the server when the database is no longer needed. May be called more than once. */
  stop(): Promise<void>;
}

type CleanupStep = () => Promise<void> | void;

/**
 * Starts a real PostgreSQL on a data directory, which is set up on the first start. The server is durable (fsync on),
 * listens only on 127.0.0.1, is restarted if it ends unexpectedly, and stops on `stop()` or when this process dies (not
 * on Windows).
 *
 * @throws {EmbeddedPostgresError} if PostgreSQL cannot be started
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const cleanupSteps: CleanupStep[] = [];
  let stopPromise: Promise<void> | undefined;
  try {
    const server = await startServer(options, cleanupSteps);
    return { ...server, stop: () => (stopPromise ??= runCleanup(cleanupSteps)) };
  } catch (error) {
    await runCleanup(cleanupSteps).catch((cleanupError: unknown) => {
      options.log.error({ err: cleanupError }, 'the cleanup after a failed start of PostgreSQL failed too');
    });
    throw toEmbeddedPostgresError(error, options.dataDirectory);
  }
}

async function startServer(
  { dataDirectory, log, port: requestedPort }: EmbeddedPostgresOptions,
  cleanupSteps: CleanupStep[],
): Promise<Omit<EmbeddedPostgres, 'stop'>> {
  const layout = buildLayout(resolve(dataDirectory));
  const installed = await locateBinaries();
  const version = await readBinariesVersion(installed);
  await mkdir(layout.root, { recursive: true });
  const lock = await lockDataDirectory(layout.root, log);
  cleanupSteps.push(() => lock.release());

  const exists = await clusterExists(layout, version);
  const user = await choosePostgresUser(layout.cluster, log);
  const binaries = await ensureReadableBinaries(installed, version, user, log);
  const password = await ensureSuperuserPassword(layout, exists);
  if (exists) {
    await clearLeftoverServer(layout.cluster, binaries, log);
    await writeSettings(layout.cluster, user);
  } else {
    log.info({ dataDirectory: layout.root, version: version.full }, 'setting up an embedded PostgreSQL');
    await initialiseCluster(layout, binaries, user, password);
  }

  const { postmaster, port } = await startOnPort({ layout, binaries, user, log }, requestedPort);
  const control: PostmasterControl = {
    restart: async () => {
      // Leftover processes prevent a new server from starting.
      await clearLeftoverServer(layout.cluster, binaries, log);
      return startPostmaster({ layout, binaries, user, log, port });
    },
    stop: (pid) => stopPostmaster(pid, layout.cluster, binaries, log),
  };
  const supervised = new SupervisedPostmaster(postmaster, control, log, layout.logFile);
  cleanupSteps.push(async () => {
    const hasStopped = await supervised.stop();
    if (!hasStopped)
      throw new EmbeddedPostgresError(
        'embedded_postgres_failed',
        `PostgreSQL (process ${supervised.pid}) does not stop. No committed data is lost. See ${layout.logFile}.`,
      );
    log.info({ pid: supervised.pid }, 'PostgreSQL has stopped');
  });
  cleanupSteps.push(limitServerLogSize(layout));
  const connectionString = await ensureApplicationDatabase(port, password);
  log.info(
    { pid: postmaster.pid, port, version: version.full, database: APPLICATION_NAME, dataDirectory: layout.root },
    'PostgreSQL runs',
  );
  return { connectionString, port, version: version.full };
}

async function startOnPort(
  options: Omit<PostmasterOptions, 'port'>,
  requestedPort: number | undefined,
): Promise<{ postmaster: Postmaster; port: number }> {
  if (requestedPort !== undefined) await assertPortFree(requestedPort);
  for (let attemptsLeft = 5; ; attemptsLeft -= 1) {
    const port = requestedPort ?? (await findFreePort());
    try {
      return { postmaster: await startPostmaster({ ...options, port }), port };
    } catch (error) {
      if (!(error instanceof PortLostError)) throw error;
      if (requestedPort !== undefined || attemptsLeft === 1)
        throw new EmbeddedPostgresError(
          'embedded_postgres_port_taken',
          `The embedded PostgreSQL could not listen on 127.0.0.1:${port}. The end of its log:\n${error.message}`,
          { cause: error },
        );
    }
  }
}

/**
 * Runs the cleanup steps, the latest first. If a step fails, runs the remaining steps and rethrows the first error at
 * the end.
 */
async function runCleanup(cleanupSteps: CleanupStep[]): Promise<void> {
  const failures: unknown[] = [];
  for (let step = cleanupSteps.pop(); step !== undefined; step = cleanupSteps.pop()) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
