import { expect } from 'chai';

interface Result {
  readonly file: string;
  readonly title: string;
  readonly error?: string;
}
type Results = Readonly<Record<'passed' | 'failed' | 'skipped', readonly Result[]>>;
interface ResultsModule {
  filesToRetry(results: Results, startedProcesses: ReadonlySet<string>): string[];
  merged(first: Results, second: Results, again: readonly string[]): Results & { readonly flaky: readonly Result[] };
  formatResults(results: Results & { readonly flaky: readonly Result[] }): string;
  lastLine(results: Results): string;
}

const WEB = 'test/src/web/runs.spec.ts';
const HTTP = 'test/src/http/runs.spec.ts';

describe('test results', () => {
  const of = (file: string, title: string, error?: string): Result => ({
    file,
    title,
    ...(error === undefined ? {} : { error }),
  });
  const first: Results = {
    passed: [of(WEB, 'a'), of(HTTP, 'b')],
    failed: [of(WEB, 'c', 'slow\nat …'), of(WEB, 'd', 'broken'), of(HTTP, 'e', 'wrong')],
    skipped: [of(WEB, 'f')],
  };
  let results: ResultsModule;

  before(async () => {
    results = (await import(new URL('../../../scripts/mocha/results.mjs', import.meta.url).href)) as ResultsModule;
  });

  it('should retry only failed files that started other processes, each file once', () => {
    expect(results.filesToRetry(first, new Set([WEB, 'test/src/web/links.spec.ts']))).to.deep.equal([WEB]);
  });

  it('should use the retry of a file and list tests that passed only then as flaky', () => {
    // given
    const second: Results = {
      passed: [of(WEB, 'a'), of(WEB, 'c')],
      failed: [of(WEB, 'd', 'broken')],
      skipped: [of(WEB, 'f')],
    };

    // when
    const all = results.merged(first, second, [WEB]);

    // then
    expect(results.lastLine(all)).to.equal('3 passed, 2 failed, 1 skipped');
    expect(all.flaky.map(({ title }) => title)).to.deep.equal(['c']);
    expect(results.formatResults(all)).to.equal(
      `Flaky, passed only when they were tried again:\n  c (${WEB})\n    slow\n\nFailed:\n  e (${HTTP})\n    wrong\n  d (${WEB})\n    broken\n\n`,
    );
  });

  it('should include a test that fails only in the retry', () => {
    const second: Results = { passed: [], failed: [of(WEB, 'a', 'now too')], skipped: [] };
    expect(results.merged(first, second, [WEB]).failed.map(({ title }) => title)).to.deep.equal(['e', 'a']);
  });

  it('should list no test as flaky when the retry of its file has no results', () => {
    // given
    const second: Results = {
      passed: [],
      failed: [{ file: '', title: 'web: Mocha', error: 'It ended with SIGKILL.' }],
      skipped: [],
    };

    // when
    const all = results.merged(first, second, [WEB]);

    // then
    expect(all.flaky).to.deep.equal([]);
    expect(all.failed.map(({ title }) => title)).to.deep.equal(['e', 'web: Mocha']);
  });
});
