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

const WEB_SPEC = 'test/src/web/runs.spec.ts';
const HTTP_SPEC = 'test/src/http/runs.spec.ts';

describe('test results', () => {
  const createResult = (file: string, title: string, error?: string): Result => ({
    file,
    title,
    ...(error === undefined ? {} : { error }),
  });
  const first: Results = {
    passed: [createResult(WEB_SPEC, 'a'), createResult(HTTP_SPEC, 'b')],
    failed: [
      createResult(WEB_SPEC, 'c', 'slow\nat …'),
      createResult(WEB_SPEC, 'd', 'broken'),
      createResult(HTTP_SPEC, 'e', 'wrong'),
    ],
    skipped: [createResult(WEB_SPEC, 'f')],
  };
  let results: ResultsModule;

  before(async () => {
    results = (await import(new URL('../../../scripts/mocha/results.mjs', import.meta.url).href)) as ResultsModule;
  });

  it('should retry only failed files that started other processes, each file once', () => {
    expect(results.filesToRetry(first, new Set([WEB_SPEC, 'test/src/web/links.spec.ts']))).to.deep.equal([WEB_SPEC]);
  });

  it('should use the retry of a file and list tests that passed only then as flaky', () => {
    // given
    const second: Results = {
      passed: [createResult(WEB_SPEC, 'a'), createResult(WEB_SPEC, 'c')],
      failed: [createResult(WEB_SPEC, 'd', 'broken')],
      skipped: [createResult(WEB_SPEC, 'f')],
    };

    // when
    const all = results.merged(first, second, [WEB_SPEC]);

    // then
    expect(results.lastLine(all)).to.equal('3 passed, 2 failed, 1 skipped');
    expect(all.flaky.map(({ title }) => title)).to.deep.equal(['c']);
    expect(results.formatResults(all)).to.equal(
      `Flaky, passed only when they were tried again:\n  c (${WEB_SPEC})\n    slow\n\nFailed:\n  e (${HTTP_SPEC})\n    wrong\n  d (${WEB_SPEC})\n    broken\n\n`,
    );
  });

  it('should include a test that fails only in the retry', () => {
    const second: Results = { passed: [], failed: [createResult(WEB_SPEC, 'a', 'now too')], skipped: [] };
    expect(results.merged(first, second, [WEB_SPEC]).failed.map(({ title }) => title)).to.deep.equal(['e', 'a']);
  });

  it('should list no test as flaky when the retry of its file has no results', () => {
    // given
    const second: Results = {
      passed: [],
      failed: [{ file: '', title: 'web: Mocha', error: 'It ended with SIGKILL.' }],
      skipped: [],
    };

    // when
    const all = results.merged(first, second, [WEB_SPEC]);

    // then
    expect(all.flaky).to.deep.equal([]);
    expect(all.failed.map(({ title }) => title)).to.deep.equal(['e', 'web: Mocha']);
  });
});
