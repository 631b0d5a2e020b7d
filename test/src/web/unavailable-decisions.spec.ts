import type { Approval } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { APPROVAL_JOBS, ApprovalMaker } from './approvals.spec.support.js';
import { hasBrowser, launchBrowser, openWindow, type Window } from './web.spec.support.js';

(hasBrowser() ? describe : describe.skip)('web: a workflow without a step to rework', () => {
  let countersign: TestHost;
  let browser: Browser;
  let approval: Approval;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ jobTypes: APPROVAL_JOBS }), launchBrowser()]);
    const maker = await ApprovalMaker.deployTo(countersign, 'notes');
    approval = await maker.createApproval('notes');
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
  });

  async function open({ isOlderServer = false } = {}): Promise<Window> {
    const window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token('approver', { subject: 'ada' }),
    });
    const { page } = window;
    if (isOlderServer)
      await page.route(`**/api/approvals/${approval.approvalId}`, async (route) => {
        const response = await route.fetch();
        const { unavailableDecisions: _, ...json } = (await response.json()) as Record<string, unknown>;
        await route.fulfill({ response, json });
      });
    await page.goto(`${countersign.url}/approvals/${approval.approvalId}`);
    await requestButton(page).waitFor();
    return window;
  }
  const requestButton = (page: Page) => page.getByRole('button', { name: 'Request changes', exact: true });

  it('should not offer to request changes, by button or key, and say why', async () => {
    // given
    const { page, close } = await open();
    const button = requestButton(page);
    expect(await button.getAttribute('aria-disabled')).to.equal('true');
    expect(await button.getAttribute('aria-description')).to.contain('no step to rework');

    // when
    await button.focus();

    // then
    await page.getByRole('tooltip').filter({ hasText: 'no step to rework' }).waitFor();

    // when
    await page.keyboard.press('Enter');
    await page.keyboard.press('c');

    // then
    await page.getByRole('alert').filter({ hasText: 'no step to rework' }).waitFor();
    expect(await page.getByRole('form').count()).to.equal(0);
    await close();
  });

  it('should offer it if an older server does not state that it is impossible', async () => {
    const { page, close } = await open({ isOlderServer: true });
    await page.keyboard.press('c');
    await page.getByRole('form', { name: 'Request changes' }).waitFor();
    await close();
  });
});
