import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import {
  accessTo,
  failureOf,
  never,
  TemporaryFolder,
  TemporaryRepository,
} from '../spec-support/temporary-repository.js';

describe('RepositoryAccess', () => {
  let allowed: TemporaryFolder;
  let outside: TemporaryFolder;
  let inside: TemporaryRepository;
  let secret: TemporaryRepository;

  before(() => {
    allowed = new TemporaryFolder();
    outside = new TemporaryFolder();
    inside = new TemporaryRepository(allowed);
    inside.commit('feat: begin', { 'a/b.txt': 'one\n' });
    secret = new TemporaryRepository(outside, 'secret');
    secret.commit('feat: secret', { 'secret.txt': 'secret\n' });
  });

  after(() => {
    allowed.remove();
    outside.remove();
  });

  const open = (path: string, ...roots: string[]) =>
    accessTo(...(roots.length > 0 ? roots : [allowed.path])).open(path, never);

  it('should open a repository under a configured folder', async () => {
    const repository = await open(inside.path);

    expect(repository.path).to.equal(inside.path);
    expect(await repository.text(['rev-parse', 'HEAD'])).to.equal(inside.git('rev-parse', 'HEAD'));
  });

  it('should open the configured folder itself', async () => {
    expect((await open(inside.path, inside.path)).path).to.equal(inside.path);
  });

  it('should open a repository through a configured symbolic link', async () => {
    const link = join(outside.path, 'link-to-allowed');
    symlinkSync(allowed.path, link);

    expect((await open(join(link, 'repository'), link)).path).to.equal(inside.path);
  });

  it('should open a bare repository and a linked work tree that are entirely within the folder', async () => {
    inside.git('clone', '--quiet', '--bare', inside.path, join(allowed.path, 'bare.git'));
    inside.git('worktree', 'add', '--quiet', '--detach', join(allowed.path, 'tree'));

    expect((await open(join(allowed.path, 'bare.git'))).path).to.equal(join(allowed.path, 'bare.git'));
    expect((await open(join(allowed.path, 'tree'))).path).to.equal(join(allowed.path, 'tree'));
  });

  it('should refuse every repository and name the setting when no folder is configured', async () => {
    const failure = await failureOf(accessTo().open(inside.path, never));

    expect(failure).to.include({ name: 'TerminalFailure', code: 'repository_roots_missing' });
    expect(failure.message).to.contain('Examples:ReleaseApproval:RepositoryRoots');
  });

  it('should refuse a repository outside the folder with the same message whether it exists or not', async () => {
    const existing = await failureOf(open(secret.path));
    const missing = await failureOf(open(`${secret.path}x`));

    expect(existing).to.include({ name: 'TerminalFailure', code: 'repository_not_allowed' });
    expect(missing.message).to.equal(existing.message.replace(secret.path, `${secret.path}x`));
  });

  it('should refuse a folder whose name merely starts with the name of a configured folder', async () => {
    expect(await failureOf(open(`${allowed.path}-more`))).to.include({ code: 'repository_not_allowed' });
  });

  it('should refuse a path that is relative or contains ".." or control characters', async () => {
    for (const path of [
      `${allowed.path}/../x`,
      `${inside.path}/..`,
      relative(process.cwd(), inside.path),
      '',
      `${inside.path}\n`,
      `${inside.path}\0`,
    ]) {
      expect(await failureOf(open(path)), path).to.include({ name: 'TerminalFailure', code: 'repository_invalid' });
    }
  });

  it('should refuse a symbolic link that leads out of the configured folder', async () => {
    const link = join(allowed.path, 'link-out');
    symlinkSync(secret.path, link);

    expect(await failureOf(open(link))).to.include({ name: 'TerminalFailure', code: 'repository_not_allowed' });
  });

  it('should refuse a work tree whose git folder is outside the configured folder', async () => {
    allowed.write('file-out/.git', `gitdir: ${secret.path}/.git\n`);
    mkdirSync(join(allowed.path, 'dir-out'));
    symlinkSync(join(secret.path, '.git'), join(allowed.path, 'dir-out', '.git'));

    for (const name of ['file-out', 'dir-out']) {
      expect(await failureOf(open(join(allowed.path, name))), name).to.include({ code: 'repository_not_allowed' });
    }
  });

  it('should refuse a repository that borrows objects from outside the configured folder', async () => {
    const borrower = new TemporaryRepository(allowed, 'borrower');
    writeFileSync(join(borrower.path, '.git/objects/info/alternates'), `${secret.path}/.git/objects\n`);

    expect(await failureOf(open(borrower.path))).to.include({
      name: 'TerminalFailure',
      code: 'repository_not_allowed',
    });
  });

  it('should refuse a folder that is not the top of a repository, without searching its parents', async () => {
    const within = await failureOf(open(join(inside.path, 'a')));
    const missing = await failureOf(open(join(allowed.path, 'missing')));
    const file = await failureOf(open(join(inside.path, 'a/b.txt')));

    for (const failure of [within, missing, file]) {
      expect(failure).to.include({ name: 'TerminalFailure', code: 'repository_not_found' });
    }
    expect(within.message).to.contain('is not the top folder of a git repository');
  });

  it('should stop when the job is aborted', async () => {
    const stopped = AbortSignal.abort(new Error('the job was withdrawn'));

    expect((await failureOf(accessTo(allowed.path).open(inside.path, stopped))).message).to.equal(
      'the job was withdrawn',
    );
  });
});
