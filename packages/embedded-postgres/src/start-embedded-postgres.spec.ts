import { expect } from 'chai';
import { once } from 'node:events';
import { chmod, mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { query, createRecordingLog, startSleepingQuery, createTemporaryDirectories } from './embedded.spec.support.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { readPostmasterPidFile } from './postmaster-pid-file.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './start-embedded-postgres.js';

const IS_LINUX = process.platform === 'linux';

describe('startEmbeddedPostgres', function () {
  this.timeout(60_000);

  const directories = createTemporaryDirectories();
  let running: EmbeddedPostgres[] = [];

  async function startPostgres(dataDirectory: string, port?: number) {
    const log = createRecordingLog();
    const postgres = await startEmbeddedPostgres({ dataDirectory, log, port });
    running.push(postgres);
    return { postgres, log };
  }

  async function catchStartError(dataDirectory: string, port?: number): Promise<EmbeddedPostgresError> {
    try {
      await startPostgres(dataDirectory, port);
    } catch (error) {
      expect(error).to.be.instanceOf(EmbeddedPostgresError);
      return error as EmbeddedPostgresError;
    }
    throw new Error('PostgreSQL started unexpectedly');
  }

  afterEach(async () => {
    for (const postgres of running) await postgres.stop();
    running = [];
    await directories.removeAll();
  });

  it('should set up a durable UTF-8 database on the loopback address', async () => {
    // given
    const dataDirectory = join(await directories.make(), 'new', 'postgres');

    // when
    const { postgres } = await startPostgres(dataDirectory);

    // then
    const readSetting = async (name: string) =>
      (await query(postgres.connectionString, `SELECT current_setting('${name}') AS value`))[0]?.['value'];
    expect(await readSetting('fsync')).to.equal('on');
    expect(await readSetting('synchronous_commit')).to.equal('on');
    expect(await readSetting('full_page_writes')).to.equal('on');
    expect(await readSetting('data_checksums')).to.equal('on');
    expect(await readSetting('server_encoding')).to.equal('UTF8');
    expect(await readSetting('listen_addresses')).to.equal('127.0.0.1');
    expect(await readSetting('cluster_name'), 'the settings file of Countersign is read').to.equal('countersign');
    expect(
      await query(
        postgres.connectionString,
        'SELECT datlocprovider::text AS provider, datlocale AS locale FROM pg_database WHERE datname = current_database()',
      ),
    ).to.deep.equal([{ provider: 'b', locale: 'C.UTF-8' }]);
    expect(postgres.version).to.match(/^18\./);
    expect(new URL(postgres.connectionString)).to.include({
      hostname: '127.0.0.1',
      port: String(postgres.port),
      pathname: '/countersign',
    });
  });

  it('should give the application a role without superuser rights', async () => {
    // given
    const { postgres } = await startPostgres(await directories.make());

    // when
    const [role] = await query(
      postgres.connectionString,
      'SELECT rolsuper, rolname, (SELECT rolname FROM pg_roles WHERE oid = datdba) AS owner FROM pg_roles, pg_database WHERE rolname = current_user AND datname = current_database()',
    );

    // then
    expect(role).to.deep.equal({ rolsuper: false, rolname: 'countersign', owner: 'countersign' });
  });

  it('should store the superuser password only in a private file', async () => {
    // given
    const dataDirectory = await directories.make();

    // when
    const { postgres, log } = await startPostgres(dataDirectory);

    // then
    const passwordFile = join(dataDirectory, 'superuser-password');
    const password = (await readFile(passwordFile, 'utf8')).trim();
    expect(password).to.have.length.of.at.least(40);
    if (process.platform !== 'win32') expect((await stat(passwordFile)).mode & 0o777).to.equal(0o600);
    const applicationPassword = new URL(postgres.connectionString).password;
    const visibleText = [
      JSON.stringify(log.lines),
      await readFile(join(dataDirectory, 'postgres.log'), 'utf8'),
      await readFile(join(dataDirectory, 'cluster', 'postmaster.opts'), 'utf8'),
    ].join('\n');
    expect(visibleText).not.to.include(password);
    expect(visibleText).not.to.include(applicationPassword);
    const wrongConnectionString = postgres.connectionString.replace(applicationPassword, 'wrong');
    expect(await query(wrongConnectionString, 'SELECT 1').catch((error: { code: string }) => error.code)).to.equal(
      '28P01',
    );
  });

  it('should keep the data after a restart', async () => {
    // given
    const dataDirectory = await directories.make();
    const first = await startPostgres(dataDirectory);
    await query(first.postgres.connectionString, "CREATE TABLE kept AS SELECT 'é' AS word");
    await first.postgres.stop();

    // when
    const second = await startPostgres(dataDirectory);

    // then
    expect(await query(second.postgres.connectionString, 'SELECT word FROM kept')).to.deep.equal([{ word: 'é' }]);
  });

  it('should work in a long path with spaces and non-ASCII letters', async () => {
    // given
    const dataDirectory = join(await directories.make(), 'dossier partagé', "d'été 東京", 'x'.repeat(120), 'postgres');

    // when
    const { postgres } = await startPostgres(dataDirectory);

    // then
    expect(await query(postgres.connectionString, 'SELECT 1 AS one')).to.deep.equal([{ one: 1 }]);
  });

  it('should work as root in a directory that only root can access', async function () {
    if (process.geteuid?.() !== 0 || !IS_LINUX) return this.skip(); // needs root

    // given
    const homeDirectory = join(await directories.make(), 'home');
    await mkdir(homeDirectory, { mode: 0o700 });
    await chmod(homeDirectory, 0o700);

    // when
    const { postgres } = await startPostgres(join(homeDirectory, 'data', 'postgres'));

    // then
    await query(postgres.connectionString, 'CREATE TABLE numbers AS SELECT generate_series(1, 100000) AS number');
    await query(postgres.connectionString, 'CREATE DATABASE other');
    await query(postgres.connectionString, 'VACUUM numbers');
    expect((await stat(homeDirectory)).mode & 0o777, 'the permissions are unchanged').to.equal(0o700);
    const server = await readPostmasterPidFile(join(homeDirectory, 'data', 'postgres', 'cluster'));
    expect(await readFile(`/proc/${server?.pid}/status`, 'utf8')).not.to.match(/^Uid:.*\b0\b/m);
    await postgres.stop();
    const restarted = await startPostgres(join(homeDirectory, 'data', 'postgres'));
    expect(await query(restarted.postgres.connectionString, 'SELECT count(*)::int AS rows FROM numbers')).to.deep.equal(
      [{ rows: 100000 }],
    );
  });

  it('should stop PostgreSQL only once if stop() is called repeatedly', async () => {
    // given
    const dataDirectory = await directories.make();
    const { postgres, log } = await startPostgres(dataDirectory);

    // when
    await Promise.all([postgres.stop(), postgres.stop()]);
    await postgres.stop();

    // then
    expect(await readPostmasterPidFile(join(dataDirectory, 'cluster'))).to.equal(undefined);
    expect(log.lines.filter(({ message }) => message === 'PostgreSQL has stopped')).to.have.length(1);
    expect(log.lines.filter(({ level }) => level === 'error')).to.deep.equal([]);
  });

  it('should stop even if clients are connected', async () => {
    // given
    const { postgres } = await startPostgres(await directories.make());
    const { ended } = await startSleepingQuery(postgres.connectionString);

    // when
    await postgres.stop();

    // then
    expect(await ended).to.equal('57P01');
  });

  it('should refuse a configured port that is already in use', async () => {
    // given
    const otherServer = createServer().listen(0, '127.0.0.1');
    await once(otherServer, 'listening');
    const { port } = otherServer.address() as { port: number };

    // when
    const error = await catchStartError(await directories.make(), port);

    // then
    otherServer.close();
    expect(error.code).to.equal('embedded_postgres_port_taken');
    expect(error.message).to.include(`127.0.0.1:${port}`).and.include('another port');
  });

  it('should report the end of the server log if the start fails, and start after the cause is fixed', async () => {
    // given
    const dataDirectory = await directories.make();
    await (await startPostgres(dataDirectory)).postgres.stop();
    const settingsFile = join(dataDirectory, 'cluster', 'postgresql.auto.conf');
    const originalSettings = await readFile(settingsFile);
    await writeFile(settingsFile, "shared_preload_libraries = 'no_such_library'\n");

    // when
    const error = await catchStartError(dataDirectory);

    // then
    expect(error.code).to.equal('embedded_postgres_failed');
    expect(error.message).to.include('no_such_library').and.include(join(dataDirectory, 'postgres.log'));
    await writeFile(settingsFile, originalSettings);
    await startPostgres(dataDirectory);
  });

  it('should refuse a cluster of another major version without changing it', async () => {
    // given
    const dataDirectory = await directories.make();
    await mkdir(join(dataDirectory, 'cluster'));
    await writeFile(join(dataDirectory, 'cluster', 'PG_VERSION'), '17\n');

    // when
    const error = await catchStartError(dataDirectory);

    // then
    expect(error.code).to.equal('embedded_postgres_version_mismatch');
    expect(error.message).to.include('PostgreSQL 17').and.include('pg_dump');
    expect(await readdir(join(dataDirectory, 'cluster'))).to.deep.equal(['PG_VERSION']);
  });

  it('should refuse a cluster directory with unknown content without changing it', async () => {
    // given
    const dataDirectory = await directories.make();
    await mkdir(join(dataDirectory, 'cluster'));
    await writeFile(join(dataDirectory, 'cluster', 'precious'), '');

    // when
    const error = await catchStartError(dataDirectory);

    // then
    expect(error.code).to.equal('embedded_postgres_failed');
    expect(error.message).to.include('PG_VERSION');
    expect(await readdir(join(dataDirectory, 'cluster'))).to.deep.equal(['precious']);
  });

  it('should name the password file if it is missing', async () => {
    // given
    const dataDirectory = await directories.make();
    await (await startPostgres(dataDirectory)).postgres.stop();
    await rm(join(dataDirectory, 'superuser-password'));

    // when
    const error = await catchStartError(dataDirectory);

    // then
    expect(error.code).to.equal('embedded_postgres_failed');
    expect(error.message).to.include('superuser-password');
  });
});
