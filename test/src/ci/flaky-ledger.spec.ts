import { readFileSync } from 'node:fs';
import { expect } from 'chai';

interface FlakyTest {
  readonly spec: string;
  readonly test: string;
  readonly cause: string;
  readonly since: string;
}
interface LedgerModule {
  readonly MAX_FLAKY_TESTS: number;
  parseLedger(ledger: string): FlakyTest[];
  addFlakyTests(
    ledger: string,
    flakyTests: readonly { readonly file: string; readonly title: string; readonly error?: string }[],
    today: string,
  ): string;
}

const root = new URL('../../../', import.meta.url);
const EMPTY_LEDGER = '# Flaky tests\n\n| Test | Spec | Cause | Since |\n|---|---|---|---|\n';
const WEB_SPEC = 'test/src/web/runs.spec.ts';

describe('ledger of flaky tests', () => {
  let ledger: LedgerModule;

  before(async () => {
    ledger = (await import(new URL('scripts/mocha/flaky-ledger.mjs', root).href)) as LedgerModule;
  });

  it('should get a row for a test that passed only in its retry', () => {
    // when
    const updatedLedger = ledger.addFlakyTests(
      EMPTY_LEDGER,
      [{ file: WEB_SPEC, title: 'runs should | appear', error: 'Timeout of\n at x' }],
      '2026-03-04',
    );

    // then
    expect(ledger.parseLedger(updatedLedger)).to.deep.equal([
      { spec: WEB_SPEC, test: 'runs should | appear', cause: 'Not known yet: Timeout of', since: '2026-03-04' },
    ]);
  });

  it('should keep the existing row of a test unchanged', () => {
    // given
    const updatedLedger = ledger.addFlakyTests(EMPTY_LEDGER, [{ file: WEB_SPEC, title: 'a | b' }], '2026-03-04');

    // then
    expect(
      ledger.addFlakyTests(updatedLedger, [{ file: WEB_SPEC, title: 'a | b', error: 'Another' }], '2026-03-05'),
    ).to.equal(updatedLedger);
  });

  it('should get only one row for a test that was flaky on two versions of Node.js', () => {
    const duplicateTests = [
      { file: WEB_SPEC, title: 'a' },
      { file: WEB_SPEC, title: 'a' },
    ];
    expect(ledger.parseLedger(ledger.addFlakyTests(EMPTY_LEDGER, duplicateTests, '2026-03-04'))).to.have.length(1);
  });

  it('should stay below the maximum number of tests and name only tests that exist', () => {
    // given
    const rows = ledger.parseLedger(readFileSync(new URL('test/flaky.md', root), 'utf8'));

    // then
    expect(rows.length, 'too many flaky tests; fix some of them').to.be.at.most(ledger.MAX_FLAKY_TESTS);
    for (const { spec, test, cause, since } of rows) {
      // The name of a hook ends with the quoted title of a test.
      const titleEnd = test.replace(/"$/, '').split(' ').slice(-3).join(' ');
      expect(readSpec(new URL(spec, root)), `${spec} has no test ${test}`).to.include(titleEnd);
      expect(cause).to.not.equal('');
      expect(since).to.match(/^\d{4}-\d{2}-\d{2}$/);
    }
  });
});

/** Reads a spec and the support files that it imports, which may define its tests. */
function readSpec(spec: URL): string {
  const source = readFileSync(spec, 'utf8');
  const imports = [...source.matchAll(/from '(\.[^']+\.spec\.support)\.js'/g)].map(([, path]) => `${path}.ts`);
  return [source, ...imports.map((path) => readFileSync(new URL(path, spec), 'utf8'))].join('\n');
}
