import type { Approval } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { APPROVAL_JOBS, ApprovalMaker } from './approvals.spec.support.js';
import { pressInSameFrame } from './press-in-same-frame.spec.support.js';
import { hasBrowser, launchBrowser, openWindow, type Window, holdClock } from './web.spec.support.js';

(hasBrowser() ? describe : describe.skip)('web: navigating before the page has loaded', () => {
  let countersign: TestHost;
  let browser: Browser;
  let approval: Approval;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ jobTypes: APPROVAL_JOBS }), launchBrowser()]);
    const maker = await ApprovalMaker.deployTo(countersign, 'simple', 'overdue');
    approval = await maker.createApproval('simple');
    await maker.createApproval('overdue');
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
  });

  async function open(path: string): Promise<Window> {
    const window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token('approver', { subject: 'ada' }),
    });
    await window.page.clock.install();
    await window.page.goto(`${countersign.url}${path}`);
    return window;
  }

  const search = (page: Page) => page.getByRole('searchbox', { name: 'Search approvals' });
  const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });

  it('should not restore a search and hidden sections that were just left by keyboard', async () => {
    // given
    const window = await open(`/approvals/${approval.approvalId}?q=the+release&hide=decided`);
    const { page } = window;
    await page.getByRole('heading', { level: 2, name: 'Approve the release' }).waitFor();
    await row(page, 'Approve the release').waitFor();

    // when
    await pressInSameFrame(page, 'g', 'a', 'j');

    // then
    await row(page, 'Approve what is late').waitFor();
    await page.waitForURL((url) => url.pathname.startsWith('/approvals/') && url.search === '');
    expect(await search(page).inputValue()).to.equal('');
    await window.close();
  });

  it('should leave the page even if a search was just typed and the next page is still loading', async () => {
    // given
    const window = await open('/approvals');
    const { page } = window;
    await row(page, 'Approve the release').waitFor();
    await holdClock(page);
    let releaseChunk = (): void => undefined;
    const chunkReleased = new Promise<void>((resolve) => (releaseChunk = resolve));
    const pageChunkRequest = page.waitForRequest(/\/runs-page-[^/]*\.js/);
    await page.route(/\/runs-page-[^/]*\.js/, async (route) => {
      await chunkReleased;
      await route.continue();
    });

    // when
    await search(page).fill('late');
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    await pageChunkRequest;
    await page.clock.fastForward(1_000);
    await page.clock.resume();
    releaseChunk();

    // then
    await page.waitForURL((url) => url.pathname === '/runs' && url.search === '');
    await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();
    await page.goBack();
    await row(page, 'Approve the release').waitFor();
    await window.close();
  });
});
