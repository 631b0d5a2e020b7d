import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import {
  createRepositoryAccess,
  captureError,
  neverAborted,
  TemporaryFolder,
  TemporaryRepository,
} from '../spec-support/temporary-repository.js';

describe('RepositoryAccess', () => {
  let allowedFolder: TemporaryFolder;
  let outsideFolder: TemporaryFolder;
  let allowedRepository: TemporaryRepository;
  let outsideRepository: TemporaryRepository;

  before(() => {
    allowedFolder = new TemporaryFolder();
    outsideFolder = new TemporaryFolder();
    allowedRepository = new TemporaryRepository(allowedFolder);
    allowedRepository.commit('feat: begin', { 'a/b.txt': 'one\n' });
    outsideRepository = new TemporaryRepository(outsideFolder, 'secret');
    outsideRepository.commit('feat: secret', { 'secret.txt': 'secret\n' });
  });

  after(() => {
    allowedFolder.remove();
    outsideFolder.remove();
  });

  const open = (path: string, ...roots: string[]) =>
    createRepositoryAccess(...(roots.length > 0 ? roots : [allowedFolder.path])).open(path, neverAborted);

  it('should open a repository under a configured folder', async () => {
    const repository = await open(allowedRepository.path);

    expect(repository.path).to.equal(allowedRepository.path);
    expect(await repository.gitText(['rev-parse', 'HEAD'])).to.equal(allowedRepository.git('rev-parse', 'HEAD'));
  });

  it('should open the configured folder itself', async () => {
    expect((await open(allowedRepository.path, allowedRepository.path)).path).to.equal(allowedRepository.path);
  });

  it('should open a repository through a configured symbolic link', async () => {
    const link = join(outsideFolder.path, 'link-to-allowed');
    symlinkSync(allowedFolder.path, link);

    expect((await open(join(link, 'repository'), link)).path).to.equal(allowedRepository.path);
  });

  it('should open a bare repository and a linked work tree that are entirely within the folder', async () => {
    allowedRepository.git('clone', '--quiet', '--bare', allowedRepository.path, join(allowedFolder.path, 'bare.git'));
    allowedRepository.git('worktree', 'add', '--quiet', '--detach', join(allowedFolder.path, 'tree'));

    expect((await open(join(allowedFolder.path, 'bare.git'))).path).to.equal(join(allowedFolder.path, 'bare.git'));
    expect((await open(join(allowedFolder.path, 'tree'))).path).to.equal(join(allowedFolder.path, 'tree'));
  });

  it('should refuse every repository and name the setting when no folder is configured', async () => {
    const failure = await captureError(createRepositoryAccess().open(allowedRepository.path, neverAborted));

    expect(failure).to.include({ name: 'TerminalFailure', code: 'repository_roots_missing' });
    expect(failure.message).to.contain('Examples:ReleaseApproval:RepositoryRoots');
  });

  it('should refuse a repository outside the folder with the same message whether it exists or not', async () => {
    const existingFailure = await captureError(open(outsideRepository.path));
    const missingFailure = await captureError(open(`${outsideRepository.path}x`));

    expect(existingFailure).to.include({ name: 'TerminalFailure', code: 'repository_not_allowed' });
    expect(missingFailure.message).to.equal(
      existingFailure.message.replace(outsideRepository.path, `${outsideRepository.path}x`),
    );
  });

  it('should refuse a folder whose name merely starts with the name of a configured folder', async () => {
    expect(await captureError(open(`${allowedFolder.path}-more`))).to.include({ code: 'repository_not_allowed' });
  });

  it('should refuse a path that is relative or contains ".." or control characters', async () => {
    for (const path of [
      `${allowedFolder.path}/../x`,
      `${allowedRepository.path}/..`,
      relative(process.cwd(), allowedRepository.path),
      '',
      `${allowedRepository.path}\n`,
      `${allowedRepository.path}\0`,
    ]) {
      expect(await captureError(open(path)), path).to.include({ name: 'TerminalFailure', code: 'repository_invalid' });
    }
  });

  it('should refuse a symbolic link that leads out of the configured folder', async () => {
    const link = join(allowedFolder.path, 'link-out');
    symlinkSync(outsideRepository.path, link);

    expect(await captureError(open(link))).to.include({ name: 'TerminalFailure', code: 'repository_not_allowed' });
  });

  it('should refuse a work tree whose git folder is outside the configured folder', async () => {
    allowedFolder.write('file-out/.git', `gitdir: ${outsideRepository.path}/.git\n`);
    mkdirSync(join(allowedFolder.path, 'dir-out'));
    symlinkSync(join(outsideRepository.path, '.git'), join(allowedFolder.path, 'dir-out', '.git'));

    for (const name of ['file-out', 'dir-out']) {
      expect(await captureError(open(join(allowedFolder.path, name))), name).to.include({
        code: 'repository_not_allowed',
      });
    }
  });

  it('should refuse a repository that borrows objects from outside the configured folder', async () => {
    const borrower = new TemporaryRepository(allowedFolder, 'borrower');
    writeFileSync(join(borrower.path, '.git/objects/info/alternates'), `${outsideRepository.path}/.git/objects\n`);

    expect(await captureError(open(borrower.path))).to.include({
      name: 'TerminalFailure',
      code: 'repository_not_allowed',
    });
  });

  it('should refuse a folder that is not the top of a repository, without searching its parents', async () => {
    const subfolderFailure = await captureError(open(join(allowedRepository.path, 'a')));
    const missingFailure = await captureError(open(join(allowedFolder.path, 'missing')));
    const fileFailure = await captureError(open(join(allowedRepository.path, 'a/b.txt')));

    for (const failure of [subfolderFailure, missingFailure, fileFailure]) {
      expect(failure).to.include({ name: 'TerminalFailure', code: 'repository_not_found' });
    }
    expect(subfolderFailure.message).to.contain('is not the top folder of a git repository');
  });

  it('should stop when the job is aborted', async () => {
    const abortedSignal = AbortSignal.abort(new Error('the job was withdrawn'));

    expect(
      (await captureError(createRepositoryAccess(allowedFolder.path).open(allowedRepository.path, abortedSignal)))
        .message,
    ).to.equal('the job was withdrawn');
  });
});
