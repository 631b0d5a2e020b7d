import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { APPROVAL_JOBS, ApprovalMaker } from './approvals.spec.support.js';
import { Keyboard } from './keyboard.spec.support.js';
import { findCoveredFocus } from './page-checks.spec.support.js';
import { hasBrowser, launchBrowser, openWindow, type Window } from './web.spec.support.js';

(hasBrowser() ? describe : describe.skip)('web: notifications', function () {
  this.timeout(60_000);
  let countersign: TestHost;
  let browser: Browser;
  let maker: ApprovalMaker;
  let window: Window;
  let page: Page;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ jobTypes: APPROVAL_JOBS }), launchBrowser()]);
    maker = await ApprovalMaker.deployTo(countersign, 'simple');
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
  });

  afterEach(() => window.close());

  for (const viewport of [
    { width: 1_280, height: 800 },
    { width: 900, height: 700 },
    { width: 420, height: 480 },
  ]) {
    it(`should never cover the focused element in a window of ${viewport.width} by ${viewport.height}`, async () => {
      // given: a vote on one approval, and another approval on display
      const [first, second] = [await maker.createApproval('simple'), await maker.createApproval('simple')];
      window = await openWindow(browser, {
        url: countersign.url,
        token: await countersign.token('approver', { subject: 'ada' }),
        viewport,
      });
      ({ page } = window);
      await page.clock.install();
      // Extends the 6 s of a notification, so that it is displayed throughout the checks.
      await page.addInitScript(() => {
        const originalSetTimeout = globalThis.setTimeout;
        globalThis.setTimeout = ((run: () => void, ms: number) =>
          originalSetTimeout(run, ms === 6_000 ? 600_000 : ms)) as typeof setTimeout;
      });
      const keys = new Keyboard(page);
      await page.goto(`${countersign.url}/approvals/${first.approvalId}`);
      await page.getByRole('button', { name: 'Reject', exact: true }).waitFor();
      await keys.press('a');
      await keys.expectFocus(page.getByRole('form').getByRole('textbox', { name: /^Comment/ }));
      await keys.press('Control+Enter');
      await page.evaluate((path) => history.pushState({}, '', path), `/approvals/${second.approvalId}`);
      await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')));
      await page.locator(`article[data-approval="${second.approvalId}"]`).waitFor();
      await page.getByRole('button', { name: 'Reject', exact: true }).waitFor();

      // when
      await page.clock.fastForward(5_000);
      const countedAlert = page.getByRole('alert').filter({ hasText: 'counted' });
      await countedAlert.waitFor();

      // then
      const found: string[] = [];
      for (const button of await page
        .getByRole('button')
        .and(page.locator(':not(.mantine-Notification-closeButton)'))
        .all()) {
        await button.focus();
        found.push(...(await findCoveredFocus(page)));
      }
      expect(await countedAlert.isVisible()).to.equal(true);
      expect(found).to.deep.equal([]);
    });
  }
});
