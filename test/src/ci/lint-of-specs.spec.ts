import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { ESLint } from 'eslint';

const root = fileURLToPath(new URL('../../../', import.meta.url));

describe('linter rules for specs', function () {
  this.timeout(60_000);
  const eslint = new ESLint({ cwd: root });

  /** Returns the rules that a line of a spec breaks. */
  async function findBrokenRules(line: string, filePath = 'test/src/http/some.spec.ts'): Promise<(string | null)[]> {
    const [result] = await eslint.lintText(`${line}\n`, { filePath: `${root}${filePath}` });
    return [...new Set(result?.messages.map(({ ruleId }) => ruleId))];
  }

  const REFUSED_LINES = {
    'a sleep': 'await new Promise((resolve) => setTimeout(resolve, 50));',
    'a sleep by another name': "import { setTimeout as pause } from 'node:timers/promises'; await pause(50);",
    'an import of all timers': "import * as timers from 'timers/promises'; await timers.setTimeout(50);",
    'a sleep in a page': 'await page.waitForTimeout(50);',
    'an exclusive test': "it.only('should run alone', () => undefined);",
    'an exclusive suite': "describe.only('alone', () => undefined);",
    'a skipped test by another name': "xit('should not run', () => undefined);",
    'the current date': 'export const today = new Date();',
    'the current time': 'export const now = Date.now();',
    'a reference to the clock': 'export const clock = { now: Date.now };',
  };

  for (const [caseName, line] of Object.entries(REFUSED_LINES)) {
    it(`should refuse ${caseName}`, async () => {
      expect(await findBrokenRules(line)).to.deep.equal(['no-restricted-syntax']);
    });
  }

  it('should refuse a skipped test unless a comment states the reason', async () => {
    expect(await findBrokenRules("it.skip('should not run', () => undefined);")).to.deep.equal([
      'tests/skip-with-reason',
    ]);
    expect(await findBrokenRules("it.skip('should not run', () => undefined); // needs a printer")).to.deep.equal([]);
    expect(
      await findBrokenRules("(process.platform === 'linux' ? describe : describe.skip)('on Linux', () => undefined);"),
    ).to.deep.equal([]);
  });

  it('should accept fixed dates in specs, and the current time in product code', async () => {
    expect(await findBrokenRules('export const at = new Date(0);')).to.deep.equal([]);
    expect(await findBrokenRules('export const now = Date.now();', 'packages/core/src/host/some.ts')).to.deep.equal([]);
  });
});
