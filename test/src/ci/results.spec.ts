import { expect } from 'chai';

interface Result {
  readonly file: string;
  readonly title: string;
  readonly error?: string;
}
type Results = Readonly<Record<'passed' | 'failed' | 'skipped', readonly Result[]>>;
interface ResultsModule {
  findFilesToRetry(results: Results, filesWithProcesses: ReadonlySet<string>): string[];
  mergeRetryResults(
    firstResults: Results,
    retryResults: Results,
    retriedFiles: readonly string[],
  ): Results & { readonly flaky: readonly Result[] };
  formatResults(results: Results & { readonly flaky: readonly Result[] }): string;
  formatSummary(results: Results): string;
}

const WEB_SPEC = 'test/src/web/runs.spec.ts';
const HTTP_SPEC = 'test/src/http/runs.spec.ts';

describe('test results', () => {
  const createResult = (file: string, title: string, error?: string): Result => ({
    file,
    title,
    ...(error === undefined ? {} : { error }),
  });
  const firstResults: Results = {
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

  it('should retry only failed files that started other processes, and each of them once', () => {
    expect(results.findFilesToRetry(firstResults, new Set([WEB_SPEC, 'test/src/web/links.spec.ts']))).to.deep.equal([
      WEB_SPEC,
    ]);
  });

  it('should use the retry of a file and list tests that passed only then as flaky', () => {
    // given
    const retryResults: Results = {
      passed: [createResult(WEB_SPEC, 'a'), createResult(WEB_SPEC, 'c')],
      failed: [createResult(WEB_SPEC, 'd', 'broken')],
      skipped: [createResult(WEB_SPEC, 'f')],
    };

    // when
    const mergedResults = results.mergeRetryResults(firstResults, retryResults, [WEB_SPEC]);

    // then
    expect(results.formatSummary(mergedResults)).to.equal('3 passed, 2 failed, 1 skipped');
    expect(mergedResults.flaky.map(({ title }) => title)).to.deep.equal(['c']);
    expect(results.formatResults(mergedResults)).to.equal(
      `Flaky (passed only on retry):\n  c (${WEB_SPEC})\n    slow\n\nFailed:\n  e (${HTTP_SPEC})\n    wrong\n  d (${WEB_SPEC})\n    broken\n\n`,
    );
  });

  it('should list a test that fails only in the retry as failed', () => {
    const retryResults: Results = { passed: [], failed: [createResult(WEB_SPEC, 'a', 'now too')], skipped: [] };
    expect(
      results.mergeRetryResults(firstResults, retryResults, [WEB_SPEC]).failed.map(({ title }) => title),
    ).to.deep.equal(['e', 'a']);
  });

  it('should list no test as flaky when the retry of its file has no results', () => {
    // given
    const retryResults: Results = {
      passed: [],
      failed: [{ file: '', title: 'web: Mocha', error: 'Mocha ended with SIGKILL, although no test failed.' }],
      skipped: [],
    };

    // when
    const mergedResults = results.mergeRetryResults(firstResults, retryResults, [WEB_SPEC]);

    // then
    expect(mergedResults.flaky).to.deep.equal([]);
    expect(mergedResults.failed.map(({ title }) => title)).to.deep.equal(['e', 'web: Mocha']);
  });
});
