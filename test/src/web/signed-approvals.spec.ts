import type { Approval, Client } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { ScriptedAgents } from '../http/scripted-agents.spec.support.js';
import { Device } from '../http/signing.spec.support.js';
import { APPROVAL_JOBS, ApprovalMaker, WRITER_AGENT } from './approvals.spec.support.js';
import {
  expectAccessible,
  expectCount,
  hasBrowser,
  launchBrowser,
  openWindow,
  type Window,
} from './web.spec.support.js';

(hasBrowser() ? describe : describe.skip)('web: approvals that require signed votes', () => {
  let countersign: TestHost;
  let browser: Browser;
  let maker: ApprovalMaker;
  let ada: Client;
  let device: Device;

  before(async () => {
    [countersign, browser] = await Promise.all([
      createTestHost({ jobTypes: APPROVAL_JOBS, plugins: [new ScriptedAgents(WRITER_AGENT).plugin()] }),
      launchBrowser(),
    ]);
    maker = await ApprovalMaker.deployTo(countersign, 'signed', 'signedAgent');
    ada = await countersign.client('approver', 'ada');
    device = await Device.forServer(ada);
    await device.register(ada, 'ada');
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
  });

  async function open(path: string, colorScheme: 'light' | 'dark' = 'light'): Promise<Window> {
    const window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token('approver', { subject: 'ada' }),
      colorScheme,
    });
    await window.page.goto(`${countersign.url}${path}`);
    return window;
  }

  const approveSigned = (approval: Approval): Promise<Approval> =>
    ada.decideApproval({
      approvalId: approval.approvalId,
      body: { decision: 'approve', signature: device.signVote(approval, 'approve') },
    });

  it('should mark the approval in the list, link to the desktop app, and offer no unsigned vote', async () => {
    // given
    const approval = await maker.createApproval('signed');
    const window = await open(`/approvals/${approval.approvalId}`);
    const { page } = window;

    // then
    await page.getByRole('row', { name: /Approve the signed release.*Signed votes only/ }).waitFor();
    await page.getByText('Your vote must be signed').waitFor();
    const link = page.getByRole('link', { name: 'Open in the desktop app' });
    expect(await link.getAttribute('href')).to.equal(`countersign://approvals/${approval.approvalId}`);
    for (const name of ['Approve', 'Reject', 'Request changes'])
      await expectCount(page.getByRole('button', { name, exact: true }), 0, name);
    await expectCount(page.getByRole('checkbox', { name: 'Select Approve the signed release' }), 0);
    for (const key of ['a', 'r', 'c', 'x']) await page.keyboard.press(key);
    await expectCount(page.getByRole('form'), 0);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem').first().waitFor();
    expect(await page.getByRole('menuitem').allInnerTexts()).to.deep.equal(['Delegate']);
    await window.close();
  });

  it('should show a new vote live, with the device name and the id of its signing key', async () => {
    // given
    const approval = await maker.createApproval('signed');
    const window = await open(`/approvals/${approval.approvalId}`);
    const { page } = window;
    await page.getByText('Your vote must be signed').waitFor();
    await page.locator('[data-live="live"]').waitFor();

    // when
    await approveSigned(approval);

    // then
    const votes = page.getByRole('list', { name: 'Votes of round 1' });
    await votes.getByText(`signed with Laptop, key ${device.keyId.slice(0, 12)}…`).waitFor();
    await expectCount(page.getByText('Your vote must be signed'), 0);
    await page.goto(`${countersign.url}/runs/${approval.runId}?tab=approvals`);
    await page
      .getByRole('article', { name: /Approve the signed release/ })
      .getByText('only signed votes count')
      .waitFor();
    await page
      .getByRole('list', { name: 'Votes' })
      .getByText(/signed with Laptop/)
      .waitFor();
    await window.close();
  });

  it('should let the user edit arguments, and open a round that requires a signed vote', async () => {
    // given
    const approval = await maker.createApproval('signedAgent');
    const window = await open(`/approvals/${approval.approvalId}`);
    const { page } = window;
    await page.clock.install();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Edit arguments' }).click();
    await page.getByText('which is signed in the desktop app').waitFor();

    // when
    await page.getByRole('textbox', { name: 'Text of the note' }).fill('Politely.');
    await page.getByRole('button', { name: 'Propose these arguments' }).click();
    await page.getByRole('button', { name: 'Yes, propose them' }).click();
    await page.clock.fastForward(5_000);

    // then
    await page.getByRole('button', { name: 'Show round 2' }).click();
    const { items } = await ada.listApprovals({ runId: approval.runId });
    expect(items).to.have.length(1);
    expect(items[0]).to.deep.include({ round: 2, status: 'pending', votes: [], signatureRequired: true });
    await window.close();
  });

  it('should be accessible in light and dark mode', async () => {
    const approval = await maker.createApproval('signed');
    for (const colorScheme of ['light', 'dark'] as const) {
      const window = await open(`/approvals/${approval.approvalId}`, colorScheme);
      await window.page.getByText('Your vote must be signed').waitFor();
      await expectAccessible(window.page);
      await window.close();
    }
  });
});
