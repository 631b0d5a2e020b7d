import { createTestHost, type TestHost } from '@countersign/testing';
import type { Browser } from 'playwright-core';
import { RUN_JOBS, RunMaker } from './runs.spec.support.js';
import { hasBrowser, launchBrowser, openWindow } from './web.spec.support.js';

(hasBrowser() ? describe : describe.skip)('web: a run', () => {
  let countersign: TestHost;
  let browser: Browser;
  let runs: RunMaker;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ jobTypes: RUN_JOBS }), launchBrowser()]);
    runs = await RunMaker.on(countersign);
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
  });

  it('should show how the run stands, and keep that current', async () => {
    // given
    const { runId } = await runs.start('approval', {}, 'release-7');
    const window = await openWindow(browser, { url: countersign.url, token: await countersign.token('viewer') });
    const { page } = window;

    // when
    await page.goto(`${countersign.url}/runs/${runId}`);
    await page.getByRole('heading', { level: 1, name: 'web-approval Active' }).waitFor();
    await page.getByText('release-7').waitFor();
    await page.locator('[data-live="live"]').waitFor();
    await countersign.jobs.complete('work');

    // then
    await page.getByRole('heading', { level: 1, name: 'web-approval Waiting' }).waitFor();
    await window.close();
  });
});
