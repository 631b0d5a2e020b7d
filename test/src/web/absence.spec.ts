import type { Role } from '@countersign/contract';
import { createTestHost, currentTime, isoTimeIn, signInApprovers, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { APPROVAL_JOBS, ApprovalMaker } from './approvals.spec.support.js';
import {
  expectAccessible,
  expectCount,
  hasBrowser,
  launchBrowser,
  openWindow,
  type Window,
} from './web.spec.support.js';

(hasBrowser() ? describe : describe.skip)('web: out of office', () => {
  let countersign: TestHost;
  let browser: Browser;
  let maker: ApprovalMaker;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ jobTypes: APPROVAL_JOBS }), launchBrowser()]);
    maker = await ApprovalMaker.deployTo(countersign, 'quorum');
    await signInApprovers(countersign, 'dora');
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
  });

  async function openWindowAs(role: Role, subject: string, path = '/approvals'): Promise<Window> {
    const window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token(role, { subject }),
    });
    await window.page.goto(countersign.url + path);
    await window.page.locator('[data-live="live"]').waitFor();
    return window;
  }

  async function openDialog(page: Page) {
    await page.getByRole('button', { name: /^\w+ · / }).click();
    await page.getByRole('menuitem', { name: 'Out of office' }).click();
    return page.getByRole('dialog', { name: 'Out of office' });
  }

  it('should set an absence from the user menu, and let the substitute see the absence and vote', async () => {
    // given: dora is not a candidate, and opens her inbox
    const { approvalId } = await maker.createApproval('quorum');
    const dora = await openWindowAs('approver', 'dora');
    await dora.page.getByText('Nothing is waiting for you.').waitFor();
    const ada = await openWindowAs('approver', 'ada');

    // when
    const dialog = await openDialog(ada.page);
    const save = dialog.getByRole('button', { name: 'Save' });
    await dialog.getByLabel('Away until').waitFor();
    expect(await save.isDisabled(), 'without an end').to.equal(true);
    await expectAccessible(ada.page);
    await dialog.getByLabel('Away until').fill('2001-01-01T12:00');
    await save.click();
    await dialog.getByRole('alert').getByText('Must be in the future', { exact: false }).waitFor();
    const inThreeDays = isoTimeIn(3 * 86_400_000).slice(0, 16);
    await dialog.getByLabel('Away until').fill(inThreeDays);
    await dialog.getByRole('combobox', { name: 'Substitute' }).fill(' dora ');
    await ada.page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });

    // then
    const banner = ada.page.getByRole('region', { name: 'Out of office' });
    await banner.getByText('dora decides for you.').waitFor();
    await expectAccessible(ada.page);
    const row = dora.page.getByRole('row').filter({ hasText: 'For ada' }).first();
    await row.click();
    await dora.page.getByText('You decide for ada').waitFor();
    await dora.page.getByText(/ada is away until .* dora decides for them\./).waitFor();
    await expectAccessible(dora.page);
    await expectCount(
      dora.page.getByRole('button', { name: 'More actions' }),
      0,
      'a substitute cannot hand over the approval',
    );

    // when
    await (await countersign.client('approver', 'dora')).decideApproval({ approvalId, body: { decision: 'approve' } });

    // then
    await dora.page.getByText(/dora approved in place of ada/).waitFor();

    // and the absence ends in all windows when the user ends it
    const secondApproval = await maker.createApproval('quorum');
    await dora.page.getByText('For ada').first().waitFor();
    await banner.getByRole('button', { name: 'End now' }).click();
    await banner.waitFor({ state: 'detached' });
    await dora.page.getByText('For ada').first().waitFor({ state: 'detached' });
    expect(
      (await (await countersign.client('approver', 'dora')).getApproval(secondApproval)).canDecide.reasons,
    ).to.deep.equal(['not_a_candidate']);
    await ada.close();
    await dora.close();
  });

  it('should plan an absence ahead, and change and cancel the absence in the dialog', async () => {
    // given
    const ada = await countersign.client('approver', 'ada');
    const [from, until] = [new Date(currentTime() + 86_400_000), new Date(currentTime() + 5 * 86_400_000)].map((date) =>
      date.toISOString(),
    );
    await ada.setMyAbsence({ body: { from: from ?? '', until: until ?? '', substitute: 'dora' } });
    const { page, close } = await openWindowAs('approver', 'ada');

    // when
    const dialog = await openDialog(page);
    expect(await dialog.getByRole('combobox', { name: 'Substitute' }).inputValue()).to.equal('dora');
    await dialog.getByRole('combobox', { name: 'Substitute' }).fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });

    // then
    const { absence } = await ada.getMyAbsence();
    expect(absence?.substitute).to.equal(null);
    expect([absence?.from, absence?.until].map((at) => at?.slice(0, 16))).to.deep.equal(
      [from, until].map((at) => at?.slice(0, 16)),
    );
    await expectCount(page.getByRole('region', { name: 'Out of office' }), 0, 'the absence has not started');

    // and
    await openDialog(page);
    await dialog.getByRole('button', { name: 'Cancel absence' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await ada.getMyAbsence()).to.deep.equal({ absence: null });
    await close();
  });

  it('should not offer an absence to a user who may not vote', async () => {
    const { page, close } = await openWindowAs('operator', 'otto');
    await page.getByRole('button', { name: /^\w+ · / }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    await expectCount(page.getByRole('menuitem', { name: 'Out of office' }), 0);
    await close();
  });
});
