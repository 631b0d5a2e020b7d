import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  createRepositoryAccess,
  captureError,
  neverAborted,
  TemporaryFolder,
  TemporaryRepository,
} from '../spec-support/temporary-repository.js';
import { countMissingCommits, readCommits } from './read-commits.js';
import { readChangedFiles, readPatch } from './read-changed-files.js';
import type { Repository } from './repository.js';
import { resolveRange } from './resolve-range.js';

describe('commits, files and patch of a range', () => {
  let folder: TemporaryFolder;
  let temporaryRepository: TemporaryRepository;
  let repository: Repository;
  let firstCommit: string;

  beforeEach(async () => {
    folder = new TemporaryFolder();
    temporaryRepository = new TemporaryRepository(folder);
    firstCommit = temporaryRepository.commit('feat: begin', {
      'a.txt': 'one\ntwo\nthree\nfour\n',
      'gone.txt': 'not like any other\n',
    });
    repository = await createRepositoryAccess(folder.path).open(temporaryRepository.path, neverAborted);
  });

  afterEach(() => folder.remove());

  const getRange = (from = firstCommit, to = 'HEAD') => resolveRange(repository, from, to);

  describe('resolveRange', () => {
    it('should resolve tags, branches, abbreviated ids and parent expressions to commit ids', async () => {
      temporaryRepository.git('tag', '-a', 'v1.0.0+build', '-m', 'one');
      const second = temporaryRepository.commit('fix: more');
      temporaryRepository.git('branch', 'release/1.x');

      expect(await getRange('v1.0.0+build', 'release/1.x')).to.deep.equal({ from: firstCommit, to: second });
      expect(await getRange('HEAD~1', second.slice(0, 12))).to.deep.equal({ from: firstCommit, to: second });
      expect(await getRange('HEAD^', 'main')).to.deep.equal({ from: firstCommit, to: second });
    });

    it('should refuse options, ranges and any other expression that is not a plain revision', async () => {
      for (const revision of [
        '-p',
        '--output=/tmp/x',
        '--all',
        'HEAD..main',
        '^HEAD',
        'HEAD:a.txt',
        ':/feat',
        'main@{1}',
        '@',
        'a b',
        'a\nb',
        'HEAD;id',
        '$(id)',
        '',
        'a'.repeat(300),
      ]) {
        const failure = await captureError(getRange(revision));

        expect(failure, revision).to.include({ name: 'TerminalFailure', code: 'revision_invalid' });
      }
    });

    it('should name a revision that does not exist', async () => {
      const failure = await captureError(getRange('v9.9.9'));

      expect(failure).to.include({ name: 'TerminalFailure', code: 'revision_not_found' });
      expect(failure.message).to.contain('"v9.9.9"').and.not.contain('shallow');
    });

    it('should suggest "git fetch --unshallow" when a shallow clone lacks the revision', async () => {
      temporaryRepository.commit('fix: more');
      temporaryRepository.git(
        'clone',
        '--quiet',
        '--depth=1',
        `file://${temporaryRepository.path}`,
        join(folder.path, 'shallow'),
      );
      repository = await createRepositoryAccess(folder.path).open(join(folder.path, 'shallow'), neverAborted);

      expect((await captureError(getRange('HEAD~1'))).message).to.contain('git fetch --unshallow');
    });
  });

  describe('readCommits', () => {
    it('should return the commits newest first with parents, author, date, subject and body', async () => {
      const second = temporaryRepository.commit('fix(core): repair\n\nBecause it broke.\n\nBREAKING CHANGE: other\n');
      const third = temporaryRepository.commit('docs: "quotes", \ttabs & <tags>\u202e — ünïcode');

      const commits = await readCommits(repository, await getRange(), 10);

      expect(commits.map(({ id }) => id)).to.deep.equal([third, second]);
      expect(commits[0]?.subject).to.equal('docs: "quotes", tabs & <tags> — ünïcode');
      expect(commits[1]).to.deep.include({
        parents: [firstCommit],
        author: 'Ann Author',
        subject: 'fix(core): repair',
        body: 'Because it broke.\n\nBREAKING CHANGE: other',
      });
      expect(commits[1]?.authoredAt).to.match(/^2023-11-14T\d\d:\d\d:\d\d\.000Z$/);
    });

    it('should return no commits for an empty range', async () => {
      expect(await readCommits(repository, await getRange(firstCommit, firstCommit), 10)).to.deep.equal([]);
    });

    it('should refuse a range with more commits than allowed', async () => {
      for (const name of ['a', 'b', 'c']) temporaryRepository.commit(`fix: ${name}`);

      expect(await readCommits(repository, await getRange(), 3)).to.have.length(3);
      expect(await captureError(readCommits(repository, await getRange(), 2))).to.include({
        name: 'TerminalFailure',
        code: 'too_many_commits',
      });
    });

    it('should count the commits of the old revision that the new revision does not contain', async () => {
      temporaryRepository.commit('fix: dropped');
      const droppedCommit = temporaryRepository.git('rev-parse', 'HEAD');
      temporaryRepository.git('reset', '--quiet', '--hard', firstCommit);
      temporaryRepository.commit('fix: instead');

      expect(await countMissingCommits(repository, await getRange(droppedCommit))).to.equal(1);
      expect(await countMissingCommits(repository, await getRange())).to.equal(0);
    });
  });

  describe('readChangedFiles', () => {
    it('should return status, paths and line counts of each changed file', async () => {
      temporaryRepository.git('mv', 'a.txt', 'b.txt');
      temporaryRepository.git('rm', '--quiet', 'gone.txt');
      temporaryRepository.commit('feat: much', {
        'b.txt': 'one\ntwo\nthree\nfour\nfive\n',
        'new\t"na\nme".txt': 'a\nb\n',
        'image.bin': Buffer.from([0, 1, 2, 255]),
        ':odd': 'x\n',
      });

      const files = await readChangedFiles(repository, await getRange());

      expect(
        files.map(({ path, previousPath, status, added, removed }) => ({ path, previousPath, status, added, removed })),
      ).to.have.deep.members([
        { path: 'b.txt', previousPath: 'a.txt', status: 'moved', added: 1, removed: 0 },
        { path: 'gone.txt', previousPath: null, status: 'deleted', added: 0, removed: 1 },
        { path: 'new\t"na\nme".txt', previousPath: null, status: 'added', added: 2, removed: 0 },
        { path: 'image.bin', previousPath: null, status: 'added', added: null, removed: null },
        { path: ':odd', previousPath: null, status: 'added', added: 1, removed: 0 },
      ]);
    });

    it('should return no files when nothing changed', async () => {
      temporaryRepository.commit('chore: nothing');

      expect(await readChangedFiles(repository, await getRange())).to.deep.equal([]);
    });
  });

  describe('readPatch', () => {
    it('should return the patch with its bytes unchanged', async () => {
      temporaryRepository.commit('fix: latin', { 'a.txt': Buffer.from('one\ntwo\nthr\xe9e\nfour\n', 'latin1') });

      const patch = await readPatch(repository, await getRange(), 10_000);

      expect(patch.includes(Buffer.from('+thr\xe9e\n', 'latin1'))).to.equal(true);
      expect(patch.toString('latin1')).to.match(/^diff --git a\/a\.txt b\/a\.txt\n/);
    });

    it('should refuse a patch that is larger than allowed, naming the setting', async () => {
      temporaryRepository.commit('feat: large', { 'large.txt': 'line\n'.repeat(100_000) });

      const failure = await captureError(readPatch(repository, await getRange(), 1000));

      expect(failure).to.include({ name: 'TerminalFailure', code: 'diff_too_large' });
      expect(failure.message).to.contain('Examples:ReleaseApproval:MaxDiffBytes');
    });
  });

  describe('a repository with a malicious configuration', () => {
    let markFile: string;
    let trapScript: string;

    beforeEach(() => {
      markFile = join(folder.path, 'mark');
      trapScript = folder.writeTrap(markFile);
    });

    async function readAll(): Promise<string> {
      const fullRange = await getRange();
      await readCommits(repository, fullRange, 10);
      await readChangedFiles(repository, fullRange);
      await countMissingCommits(repository, fullRange);
      return (await readPatch(repository, fullRange, 100_000)).toString('utf8');
    }

    it('should run none of the programs that the git configuration names', async () => {
      temporaryRepository.commit('feat: trap', {
        '.gitattributes': '*.txt diff=trap filter=trap\n',
        'a.txt': 'changed\n',
      });
      for (const key of [
        'diff.external',
        'diff.trap.command',
        'diff.trap.textconv',
        'core.fsmonitor',
        'core.pager',
        'gpg.program',
        'filter.trap.clean',
        'filter.trap.smudge',
        'core.sshCommand',
        'core.editor',
        'credential.helper',
        'core.askPass',
      ]) {
        temporaryRepository.git('config', key, trapScript);
      }
      temporaryRepository.git('config', 'log.showSignature', 'true');
      temporaryRepository.git('config', 'core.hooksPath', folder.path);

      const patch = await readAll();

      expect(existsSync(markFile), 'a program was run').to.equal(false);
      expect(patch).to.contain('\n+changed\n');
      temporaryRepository.git('diff', firstCommit, 'HEAD');
      expect(existsSync(markFile), 'the trap works').to.equal(true);
    });

    it('should list a submodule that the git configuration ignores', async () => {
      temporaryRepository.git('update-index', '--add', '--cacheinfo', `160000,${firstCommit},module`);
      temporaryRepository.write('.gitmodules', '[submodule "module"]\n\tpath = module\n\turl = ./x\n\tignore = all\n');
      temporaryRepository.git('add', '.gitmodules');
      temporaryRepository.git('commit', '--quiet', '-m', 'feat: module');
      temporaryRepository.git('config', 'diff.ignoreSubmodules', 'all');

      const files = await readChangedFiles(repository, await getRange());

      expect(files.map(({ path }) => path)).to.contain('module');
    });

    it('should read the original commits instead of their replacements (git replace)', async () => {
      const second = temporaryRepository.commit('feat: as it is', { 'a.txt': 'bad\n' });
      const harmlessCommit = temporaryRepository.git(
        'commit-tree',
        `${firstCommit}^{tree}`,
        '-p',
        firstCommit,
        '-m',
        'docs: harmless',
      );
      temporaryRepository.git('replace', second, harmlessCommit);

      expect((await readCommits(repository, await getRange(), 10)).map(({ subject }) => subject)).to.deep.equal([
        'feat: as it is',
      ]);
      expect(await readAll()).to.contain('+bad');
    });

    it('should fail without fetching an object that a partial clone lacks', async () => {
      temporaryRepository.commit('feat: more', { 'a.txt': 'lazy\n' });
      const blob = temporaryRepository.git('rev-parse', 'HEAD:a.txt');
      temporaryRepository.git('config', 'core.repositoryFormatVersion', '1');
      temporaryRepository.git('config', 'extensions.partialClone', 'origin');
      temporaryRepository.git('config', 'remote.origin.promisor', 'true');
      temporaryRepository.git('config', 'remote.origin.url', `ext::${trapScript} fetch`);
      temporaryRepository.git('config', 'protocol.ext.allow', 'always');
      rmSync(join(temporaryRepository.path, '.git/objects', blob.slice(0, 2), blob.slice(2)));

      const failure = await captureError(readAll());

      expect(failure.code).to.equal('git_failed');
      expect(existsSync(markFile), 'a program was run').to.equal(false);
      expect(() => temporaryRepository.git('diff', firstCommit, 'HEAD')).to.throw();
      expect(existsSync(markFile), 'the trap works').to.equal(true);
    });
  });
});
