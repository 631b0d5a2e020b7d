import { expect } from 'chai';

interface Result {
  readonly file: string;
  readonly title: string;
  readonly error?: string;
}
type Results = Readonly<Record<'passed' | 'failed' | 'skipped', readonly Result[]>>;
interface ResultsModule {
  filesToRetry(results: Results): string[];
  merged(first: Results, second: Results, again: readonly string[]): Results & { readonly flaky: readonly Result[] };
  formatResults(results: Results & { readonly flaky: readonly Result[] }): string;
  lastLine(results: Results): string;
}

const WEB = 'test/dist/web/runs.spec.js';
const HTTP = 'test/dist/http/runs.spec.js';

describe('Results of the tests', () => {
  const of = (file: string, title: string, error?: string): Result => ({ file, title, ...(error === undefined ? {} : { error }) });
  const first: Results = {
    passed: [of(WEB, 'a'), of(HTTP, 'b')],
    failed: [of(WEB, 'c', 'slow\nat …'), of(WEB, 'd', 'broken'), of(HTTP, 'e', 'wrong')],
    skipped: [of(WEB, 'f')],
  };
  let results: ResultsModule;

  before(async () => {
    results = (await import(new URL('../../../scripts/mocha/results.mjs', import.meta.url).href)) as ResultsModule;
  });

  it('should have only files run again that drive other processes, each once', () => {
    expect(results.filesToRetry(first)).to.deep.equal([WEB]);
  });

  it('should count a file that was run again by its second time, and tell what passed only then', () => {
    // given
    const second: Results = { passed: [of(WEB, 'a'), of(WEB, 'c')], failed: [of(WEB, 'd', 'broken')], skipped: [of(WEB, 'f')] };

    // when
    const all = results.merged(first, second, [WEB]);

    // then
    expect(results.lastLine(all)).to.equal('3 passed, 2 failed, 1 skipped');
    expect(all.flaky.map(({ title }) => title)).to.deep.equal(['c']);
    expect(results.formatResults(all)).to.equal(
      `Flaky, passed only when they were tried again:\n  c (${WEB})\n    slow\n\nFailed:\n  e (${HTTP})\n    wrong\n  d (${WEB})\n    broken\n\n`,
    );
  });

  it('should not pass over what fails only the second time', () => {
    const second: Results = { passed: [], failed: [of(WEB, 'a', 'now too')], skipped: [] };
    expect(results.merged(first, second, [WEB]).failed.map(({ title }) => title)).to.deep.equal(['e', 'a']);
  });
});
