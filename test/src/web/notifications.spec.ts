import type { Approval } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { APPROVAL_JOBS, ApprovalMaker } from './approvals.spec.support.js';
import { Keyboard } from './keyboard.spec.support.js';
import { findCoveredFocus } from './page-checks.spec.support.js';
import { hasBrowser, launchBrowser, openWindow, waitUntilLive, type Window } from './web.spec.support.js';

const VIEWPORTS = [
  { width: 1_280, height: 800 },
  { width: 900, height: 700 },
  { width: 420, height: 480 },
] as const;

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

  async function openApproval({ approvalId }: Approval, viewport: (typeof VIEWPORTS)[number]): Promise<void> {
    window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token('approver', { subject: 'ada' }),
      viewport,
    });
    ({ page } = window);
    await page.clock.install();
    // Extends the 4 s of a status message, so that it is displayed throughout the checks.
    await page.addInitScript(() => {
      const originalSetTimeout = globalThis.setTimeout;
      globalThis.setTimeout = ((run: () => void, ms: number) =>
        originalSetTimeout(run, ms === 4_000 ? 600_000 : ms)) as typeof setTimeout;
    });
    await page.goto(`${countersign.url}/approvals/${approvalId}`);
    await page.getByRole('button', { name: 'Reject', exact: true }).waitFor();
  }

  /** Focuses each button, and returns what is covered then. */
  async function findCoveredButtons(): Promise<string[]> {
    const found: string[] = [];
    for (const button of await page
      .getByRole('button')
      .and(page.locator(':not(.mantine-Notification-root button)'))
      .all()) {
      await button.focus();
      found.push(...(await findCoveredFocus(page)));
    }
    return found;
  }

  for (const viewport of VIEWPORTS) {
    it(`should never cover the focused element in a window of ${viewport.width} by ${viewport.height}`, async () => {
      // given: a comment in a discussion of ada’s, and another approval on display
      const [first, second] = [await maker.createApproval('simple'), await maker.createApproval('simple')];
      const [ada, bea] = await Promise.all(['ada', 'bea'].map((name) => countersign.client('approver', name)));
      await ada?.commentOnApproval({ approvalId: first.approvalId, body: { text: 'Which printer?' } });
      await openApproval(second, viewport);
      await waitUntilLive(page);

      // when
      await bea?.commentOnApproval({ approvalId: first.approvalId, body: { text: 'The one upstairs.' } });
      const commentAlert = page.getByRole('alert').filter({ hasText: 'The one upstairs.' });
      await commentAlert.waitFor();

      // then
      expect(await findCoveredButtons()).to.deep.equal([]);
      expect(await commentAlert.isVisible()).to.equal(true);
    });

    it(`should show the result of a vote below the page in a window of ${viewport.width} by ${viewport.height}`, async () => {
      // given
      const approval = await maker.createApproval('simple');
      await openApproval(approval, viewport);
      const keys = new Keyboard(page);
      await keys.press('a');
      await keys.expectFocus(page.getByRole('form').getByRole('textbox', { name: /^Comment/ }));
      await keys.press('Control+Enter');

      // when
      await page.clock.fastForward(5_000);
      const counted = page.getByRole('status').filter({ hasText: 'counted' });
      await counted.waitFor();

      // then: it is no notification above the page
      expect(await page.locator('.mantine-Notification-root').count()).to.equal(0);
      const top = (await counted.boundingBox())?.y ?? expect.fail('The result is not displayed.');
      for (const part of await page.locator('.cs-decision h2, .cs-approvals-tools, .cs-approvals-list').all()) {
        const box = await part.boundingBox();
        expect((box?.y ?? 0) + (box?.height ?? 0)).to.be.at.most(top);
      }
      expect(await findCoveredButtons()).to.deep.equal([]);
    });
  }
});
