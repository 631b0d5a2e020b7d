import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  accessTo,
  failureOf,
  never,
  TemporaryFolder,
  TemporaryRepository,
} from '../spec-support/temporary-repository.js';
import { countMissing, readCommits } from './read-commits.js';
import { readChangedFiles, readPatch } from './read-changed-files.js';
import type { Repository } from './repository.js';
import { resolveRange } from './resolve-range.js';

describe('commits, files and patch of a range', () => {
  let folder: TemporaryFolder;
  let made: TemporaryRepository;
  let repository: Repository;
  let first: string;

  beforeEach(async () => {
    folder = new TemporaryFolder();
    made = new TemporaryRepository(folder);
    first = made.commit('feat: begin', { 'a.txt': 'one\ntwo\nthree\nfour\n', 'gone.txt': 'not like any other\n' });
    repository = await accessTo(folder.path).open(made.path, never);
  });

  afterEach(() => folder.remove());

  const range = (from = first, to = 'HEAD') => resolveRange(repository, from, to);

  describe('resolveRange', () => {
    it('should resolve tags, branches, abbreviated ids and parent expressions to commit ids', async () => {
      made.git('tag', '-a', 'v1.0.0+build', '-m', 'one');
      const second = made.commit('fix: more');
      made.git('branch', 'release/1.x');

      expect(await range('v1.0.0+build', 'release/1.x')).to.deep.equal({ from: first, to: second });
      expect(await range('HEAD~1', second.slice(0, 12))).to.deep.equal({ from: first, to: second });
      expect(await range('HEAD^', 'main')).to.deep.equal({ from: first, to: second });
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
        const failure = await failureOf(range(revision));

        expect(failure, revision).to.include({ name: 'TerminalFailure', code: 'revision_invalid' });
      }
    });

    it('should name a revision that does not exist', async () => {
      const failure = await failureOf(range('v9.9.9'));

      expect(failure).to.include({ name: 'TerminalFailure', code: 'revision_not_found' });
      expect(failure.message).to.contain('"v9.9.9"').and.not.contain('shallow');
    });

    it('should suggest "git fetch --unshallow" when a shallow clone lacks the revision', async () => {
      made.commit('fix: more');
      made.git('clone', '--quiet', '--depth=1', `file://${made.path}`, join(folder.path, 'shallow'));
      repository = await accessTo(folder.path).open(join(folder.path, 'shallow'), never);

      expect((await failureOf(range('HEAD~1'))).message).to.contain('git fetch --unshallow');
    });
  });

  describe('readCommits', () => {
    it('should return the commits newest first with parents, author, date, subject and body', async () => {
      const second = made.commit('fix(core): mend\n\nBecause it broke.\n\nBREAKING CHANGE: other\n');
      const third = made.commit('docs: "quotes", \ttabs & <tags>\u202e — ünïcode');

      const commits = await readCommits(repository, await range(), 10);

      expect(commits.map(({ id }) => id)).to.deep.equal([third, second]);
      expect(commits[0]?.subject).to.equal('docs: "quotes", tabs & <tags> — ünïcode');
      expect(commits[1]).to.deep.include({
        parents: [first],
        author: 'Ann Author',
        subject: 'fix(core): mend',
        body: 'Because it broke.\n\nBREAKING CHANGE: other',
      });
      expect(commits[1]?.authoredAt).to.match(/^2023-11-14T\d\d:\d\d:\d\d\.000Z$/);
    });

    it('should return no commits for an empty range', async () => {
      expect(await readCommits(repository, await range(first, first), 10)).to.deep.equal([]);
    });

    it('should refuse a range with more commits than allowed', async () => {
      for (const name of ['a', 'b', 'c']) made.commit(`fix: ${name}`);

      expect(await readCommits(repository, await range(), 3)).to.have.length(3);
      expect(await failureOf(readCommits(repository, await range(), 2))).to.include({
        name: 'TerminalFailure',
        code: 'too_many_commits',
      });
    });

    it('should count the commits of the old revision that the new revision does not contain', async () => {
      made.commit('fix: left behind');
      const left = made.git('rev-parse', 'HEAD');
      made.git('reset', '--quiet', '--hard', first);
      made.commit('fix: instead');

      expect(await countMissing(repository, await range(left))).to.equal(1);
      expect(await countMissing(repository, await range())).to.equal(0);
    });
  });

  describe('readChangedFiles', () => {
    it('should return status, paths and line counts of each changed file', async () => {
      made.git('mv', 'a.txt', 'b.txt');
      made.git('rm', '--quiet', 'gone.txt');
      made.commit('feat: much', {
        'b.txt': 'one\ntwo\nthree\nfour\nfive\n',
        'new\t"na\nme".txt': 'a\nb\n',
        'image.bin': Buffer.from([0, 1, 2, 255]),
        ':odd': 'x\n',
      });

      const files = await readChangedFiles(repository, await range());

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
      made.commit('chore: nothing');

      expect(await readChangedFiles(repository, await range())).to.deep.equal([]);
    });
  });

  describe('readPatch', () => {
    it('should return the patch with its bytes unchanged', async () => {
      made.commit('fix: latin', { 'a.txt': Buffer.from('one\ntwo\nthr\xe9e\nfour\n', 'latin1') });

      const patch = await readPatch(repository, await range(), 10_000);

      expect(patch.includes(Buffer.from('+thr\xe9e\n', 'latin1'))).to.equal(true);
      expect(patch.toString('latin1')).to.match(/^diff --git a\/a\.txt b\/a\.txt\n/);
    });

    it('should refuse a patch that is larger than allowed, naming the setting', async () => {
      made.commit('feat: large', { 'large.txt': 'line\n'.repeat(100_000) });

      const failure = await failureOf(readPatch(repository, await range(), 1000));

      expect(failure).to.include({ name: 'TerminalFailure', code: 'diff_too_large' });
      expect(failure.message).to.contain('Examples:ReleaseApproval:MaxDiffBytes');
    });
  });

  describe('a repository with a malicious configuration', () => {
    let mark: string;
    let trap: string;

    beforeEach(() => {
      mark = join(folder.path, 'mark');
      trap = folder.writeTrap(mark);
    });

    async function readAll(): Promise<string> {
      const all = await range();
      await readCommits(repository, all, 10);
      await readChangedFiles(repository, all);
      await countMissing(repository, all);
      return (await readPatch(repository, all, 100_000)).toString('utf8');
    }

    it('should run none of the programs that the git configuration names', async () => {
      made.commit('feat: trap', { '.gitattributes': '*.txt diff=trap filter=trap\n', 'a.txt': 'changed\n' });
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
        made.git('config', key, trap);
      }
      made.git('config', 'log.showSignature', 'true');
      made.git('config', 'core.hooksPath', folder.path);

      const patch = await readAll();

      expect(existsSync(mark), 'a program was run').to.equal(false);
      expect(patch).to.contain('\n+changed\n');
      made.git('diff', first, 'HEAD');
      expect(existsSync(mark), 'the trap works').to.equal(true);
    });

    it('should list a submodule that the git configuration ignores', async () => {
      made.git('update-index', '--add', '--cacheinfo', `160000,${first},module`);
      made.write('.gitmodules', '[submodule "module"]\n\tpath = module\n\turl = ./x\n\tignore = all\n');
      made.git('add', '.gitmodules');
      made.git('commit', '--quiet', '-m', 'feat: module');
      made.git('config', 'diff.ignoreSubmodules', 'all');

      const files = await readChangedFiles(repository, await range());

      expect(files.map(({ path }) => path)).to.contain('module');
    });

    it('should read the original commits instead of their replacements (git replace)', async () => {
      const second = made.commit('feat: as it is', { 'a.txt': 'bad\n' });
      const nice = made.git('commit-tree', `${first}^{tree}`, '-p', first, '-m', 'docs: harmless');
      made.git('replace', second, nice);

      expect((await readCommits(repository, await range(), 10)).map(({ subject }) => subject)).to.deep.equal([
        'feat: as it is',
      ]);
      expect(await readAll()).to.contain('+bad');
    });

    it('should fail without fetching an object that a partial clone lacks', async () => {
      made.commit('feat: more', { 'a.txt': 'lazy\n' });
      const blob = made.git('rev-parse', 'HEAD:a.txt');
      made.git('config', 'core.repositoryFormatVersion', '1');
      made.git('config', 'extensions.partialClone', 'origin');
      made.git('config', 'remote.origin.promisor', 'true');
      made.git('config', 'remote.origin.url', `ext::${trap} fetch`);
      made.git('config', 'protocol.ext.allow', 'always');
      rmSync(join(made.path, '.git/objects', blob.slice(0, 2), blob.slice(2)));

      const failure = await failureOf(readAll());

      expect(failure.code).to.equal('git_failed');
      expect(existsSync(mark), 'a program was run').to.equal(false);
      expect(() => made.git('diff', first, 'HEAD')).to.throw();
      expect(existsSync(mark), 'the trap works').to.equal(true);
    });
  });
});
