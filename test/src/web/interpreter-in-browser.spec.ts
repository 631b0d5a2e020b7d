import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { rolldown } from 'rolldown';
import { hasBrowser, launchBrowser } from './web.spec.support.js';
import { executeWholeRun } from './whole-run.spec.support.js';

describe('@countersign/interpreter in a browser', () => {
  let browser: Browser;

  before(async function () {
    if (!hasBrowser()) this.skip();
    browser = await launchBrowser();
  });

  after(() => browser?.close());

  it('should compute the same run and hashes as in Node.js', async () => {
    // given
    const script = await bundleScript(fileURLToPath(new URL('./whole-run.spec.support.js', import.meta.url)));
    const page = await browser.newPage();

    // when
    await page.addScriptTag({ content: script });
    const run = await page.evaluate(() =>
      (globalThis as unknown as { bundle: { executeWholeRun(): string } }).bundle.executeWholeRun(),
    );

    // then
    expect(JSON.parse(run)).to.deep.equal(JSON.parse(executeWholeRun()));
    expect(JSON.parse(run)).to.have.nested.property('state.outcome', 'completed');
    await page.close();
  });
});

/**
 * Bundles a module for a browser. Does not use Vite, because its `build()` sets `NODE_ENV` for all later specs of the
 * process.
 */
async function bundleScript(entry: string): Promise<string> {
  const bundle = await rolldown({ input: entry, platform: 'browser', logLevel: 'silent' });
  try {
    const {
      output: [chunk],
    } = await bundle.generate({ format: 'iife', name: 'bundle' });
    expect(chunk.imports, 'imports that a browser cannot resolve').to.deep.equal([]);
    return chunk.code;
  } finally {
    await bundle.close();
  }
}
