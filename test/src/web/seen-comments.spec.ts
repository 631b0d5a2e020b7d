import type { Approval, Client } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import type { Browser, Locator, Page } from 'playwright-core';
import { APPROVAL_JOBS, ApprovalMaker } from './approvals.spec.support.js';
import { hasBrowser, launchBrowser, openWindow, waitUntilLive, type Window } from './web.spec.support.js';

/** Time for which a comment must be in view, in ms. */
const MIN_VIEW_MS = 500;
const EXTENDED_MS = 600_000;

(hasBrowser() ? describe : describe.skip)('web: new comments that come into view', () => {
  let countersign: TestHost;
  let browser: Browser;
  let otto: Client;
  let commented: Approval;
  let window: Window;
  let page: Page;

  before(async () => {
    browser = await launchBrowser();
  });

  after(() => browser?.close());

  beforeEach(async () => {
    countersign = await createTestHost({ jobTypes: APPROVAL_JOBS });
    otto = await countersign.client('operator', 'otto');
    const maker = await ApprovalMaker.deployTo(countersign, 'simple', 'overdue');
    commented = await maker.createApproval('simple');
    await maker.createApproval('overdue');
    window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token('approver', { subject: 'ada' }),
      // Everything is in view.
      viewport: { width: 1280, height: 2_400 },
    });
    ({ page } = window);
    await page.clock.install();
    await page.goto(`${countersign.url}/approvals/${commented.approvalId}`);
    await waitUntilLive(page);
    await page.waitForFunction(
      (id) => Object.entries(localStorage).some(([key, value]) => key.includes(':visits:') && value.includes(id)),
      commented.approvalId,
    );
    await showOther();
    await otto.commentOnApproval({ approvalId: commented.approvalId, body: { text: 'One more thing' } });
    await newMark().waitFor();
  });

  afterEach(async () => {
    await window.close();
    await countersign.close();
  });

  const row = (): Locator => page.locator(`.cs-inbox-item`).filter({ hasText: 'Approve the release' }).first();
  const newMark = (): Locator => row().getByText('1 comment, new');
  const seenMark = (): Locator => row().getByText('1 comment', { exact: true });

  /** Opens the approval, and waits until its comment is in view. */
  async function showComment(): Promise<void> {
    await row().click();
    const comment = page.locator('article').getByText('One more thing');
    await comment.waitFor();
    // Observers are called in the order of their creation.
    await comment.evaluate(
      (element) => new Promise<void>((resolve) => new IntersectionObserver(() => resolve()).observe(element)),
    );
  }

  async function showOther(): Promise<void> {
    await page.locator('.cs-inbox-item').filter({ hasText: 'Approve what is late' }).first().click();
    await page.getByRole('heading', { level: 2, name: 'Approve what is late' }).waitFor();
  }

  it('should stay new if it is in view only while the user moves through the list', async () => {
    // given: half a second takes longer than the test
    await page.evaluate(
      ([minViewMs, extendedMs]) => {
        const originalSetTimeout = globalThis.setTimeout;
        globalThis.setTimeout = ((run: () => void, ms: number) =>
          originalSetTimeout(run, ms === minViewMs ? extendedMs : ms)) as typeof setTimeout;
      },
      [MIN_VIEW_MS, EXTENDED_MS] as const,
    );

    // when
    await showComment();
    await showOther();
    await page.clock.fastForward(EXTENDED_MS);

    // then
    await row().getByText('1 comment').waitFor();
    await newMark().waitFor();

    // when
    await showComment();
    await newMark().waitFor();
    await page.clock.fastForward(EXTENDED_MS);

    // then
    await seenMark().waitFor();
  });

  it('should stay new while the tab is hidden', async () => {
    // given: headless Chromium keeps all tabs visible
    await page.evaluate(() =>
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' }),
    );

    // when
    await showComment();
    await page.clock.fastForward(MIN_VIEW_MS);

    // then
    await newMark().waitFor();

    // when
    await page.evaluate(() => {
      Reflect.deleteProperty(document, 'visibilityState');
      document.dispatchEvent(new Event('visibilitychange'));
    });

    // then
    await seenMark().waitFor();
  });
});
