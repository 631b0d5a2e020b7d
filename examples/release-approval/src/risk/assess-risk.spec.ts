import { expect } from 'chai';
import type { ChangedFile } from '../git/read-changed-files.js';
import { assessRisk, type Release } from './assess-risk.js';
import { getPathKind } from './path-kinds.js';

const createFile = (path: string, overrides: Partial<ChangedFile> = {}): ChangedFile => ({
  path,
  previousPath: null,
  status: 'modified',
  added: 1,
  removed: 0,
  previousMode: '100644',
  mode: '100644',
  ...overrides,
});

const createCommit = (subject: string) => ({
  id: 'a'.repeat(40),
  parents: ['b'],
  author: 'Ann',
  authoredAt: '',
  subject,
  body: '',
});

const getCodes = (files: readonly ChangedFile[], overrides: Partial<Release> = {}) =>
  assessRisk({ commits: [], files, missingCommits: 0, ...overrides }).map(({ code }) => code);

describe('assessRisk', () => {
  it('should return no risk factor for a small change of documents', () => {
    expect(getCodes([createFile('README.md'), createFile('docs/guide.md')])).to.deep.equal([]);
  });

  it('should return no risk factor for a small change of source with its test', () => {
    expect(getCodes([createFile('src/a.ts'), createFile('src/a.spec.ts')])).to.deep.equal([]);
  });

  it('should report missing tests when source changes without an added or modified test', () => {
    expect(getCodes([createFile('src/a.ts'), createFile('README.md')])).to.deep.equal(['tests_missing']);
    expect(getCodes([createFile('src/a.ts'), createFile('src/a.spec.ts', { status: 'deleted' })])).to.deep.equal([
      'tests_missing',
      'tests_removed',
    ]);
  });

  it('should not require tests for files that were only deleted or moved', () => {
    expect(
      getCodes([
        createFile('src/a.ts', { status: 'deleted' }),
        createFile('src/b.ts', { status: 'moved', previousPath: 'b.ts', added: 0 }),
      ]),
    ).to.deep.equal([]);
  });

  for (const [path, code] of [
    ['.github/workflows/build.yml', 'ci'],
    ['.ci/run', 'ci'],
    ['db/migrations/0001-runs.ts', 'migrations'],
    ['packages/x/package.json', 'dependencies'],
    ['package-lock.json', 'dependencies'],
    ['src/auth/token.ts', 'security'],
    ['Dockerfile', 'deployment'],
  ] as const) {
    it(`should report ${code} for a change of ${path}, and for files moved away from there`, () => {
      expect(getCodes([createFile(path), createFile('x.spec.ts')])).to.deep.equal([code]);
      if (code !== 'dependencies') {
        expect(
          getCodes([createFile('other.txt', { previousPath: path, status: 'moved' }), createFile('x.spec.ts')]),
        ).to.deep.equal([code]);
      }
    });
  }

  for (const [lines, weight] of [
    [199, undefined],
    [200, 10],
    [1000, 20],
    [5000, 30],
  ] as const) {
    it(`should assign ${weight ?? 'nothing'} as the weight of ${lines} changed lines`, () => {
      const [size] = assessRisk({
        commits: [],
        files: [createFile('a.md', { added: lines - 10, removed: 10 })],
        missingCommits: 0,
      });

      expect(size?.weight).to.equal(weight);
    });
  }

  it('should not count the changed lines of a lock file', () => {
    expect(getCodes([createFile('package-lock.json', { added: 90_000 })])).to.deep.equal(['dependencies']);
  });

  it('should report binary files, changed file modes and submodules', () => {
    expect(getCodes([createFile('a.png', { added: null, removed: null })])).to.deep.equal(['not_shown']);
    expect(
      getCodes([
        createFile('a.txt', { mode: '120000' }),
        createFile('b.txt', { mode: '100755', previousMode: '000000' }),
      ]),
    ).to.deep.equal(['file_modes']);
    expect(getCodes([createFile('module', { mode: '160000', previousMode: '160000' })])).to.deep.equal(['submodules']);
  });

  it('should report breaking changes and dropped commits, with the heaviest factor first', () => {
    const factors = assessRisk({
      commits: [createCommit('feat!: x'), createCommit('fix!: y'), createCommit('fix: z')],
      files: [],
      missingCommits: 2,
    });

    expect(factors).to.deep.equal([
      {
        code: 'diverged',
        weight: 30,
        description: 'Drops 2 commits of the earlier state, because the release does not build on it.',
      },
      {
        code: 'breaking_change',
        weight: 25,
        description: 'Declares a breaking change: feat!: x and 1 more.',
      },
    ]);
  });

  it('should name at most three paths, sanitized and shortened', () => {
    const files = ['1', '2', '3', '4', '5'].map((name) => createFile(`migrations/${name}\n\u202e${'x'.repeat(1000)}`));

    const [factor] = assessRisk({ commits: [], files, missingCommits: 0 });

    expect(factor?.description).to.match(
      /^Changes the format of stored data: migrations\/1 x+…, migrations\/2 x+…, migrations\/3 x+… and 2 more\.$/,
    );
    expect(factor?.description.length).to.be.at.most(500);
  });
});

describe('getPathKind', () => {
  for (const [path, kind] of [
    ['src/author.ts', 'source'],
    ['src/tokenizer.ts', 'source'],
    ['src/session-store.ts', 'security'],
    ['test/auth.spec.ts', 'test'],
    ['src/latest.ts', 'source'],
    ['schema.sql', 'migration'],
    ['LICENSE', 'docs'],
    ['constructor', 'other'],
  ] as const) {
    it(`should classify ${path} as ${kind}`, () => {
      expect(getPathKind(path)).to.equal(kind);
    });
  }
});
