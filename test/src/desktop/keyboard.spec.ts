import type { Approval } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { APPROVAL_JOBS, ApprovalMaker } from '../web/approvals.spec.support.js';
import { Keyboard } from '../web/keyboard.spec.support.js';
import { findCoveredFocus } from '../web/page-checks.spec.support.js';
import { skipUndoWindow } from './deciding.spec.support.js';
import { deleteUserData, hasElectron, Screen, startDesktop, type Desktop } from './desktop.spec.support.js';

(hasElectron() ? describe : describe.skip)('desktop: keyboard only', function () {
  this.timeout(60_000);
  let countersign: TestHost;
  let maker: ApprovalMaker;
  let screen: Screen;
  let desktop: Desktop;
  let page: Page;
  let keys: Keyboard;

  before(async () => {
    [countersign, screen] = await Promise.all([createTestHost({ jobTypes: APPROVAL_JOBS }), Screen.start()]);
    maker = await ApprovalMaker.deployTo(countersign, 'simple', 'evidence');
  });

  after(async () => {
    await screen?.stop();
    await countersign?.close();
  });

  beforeEach(() => start());

  afterEach(async () => {
    await desktop.close();
    deleteUserData(desktop.userData);
  });

  async function start(userData?: string): Promise<void> {
    desktop = await startDesktop({ screen, ...(userData === undefined ? {} : { userData }) });
    ({ page } = desktop);
    keys = new Keyboard(page);
  }

  const getCurrentApproval = ({ approvalId }: Approval): Promise<Approval> => maker.vera.getApproval({ approvalId });
  const form = (name: string) => page.getByRole('form', { name });
  const row = (name: RegExp) => page.getByRole('row', { name });
  /** Waits until the inbox counts this number of approvals under “My turn”. */
  const waitForInboxCount = (count: number) =>
    page
      .locator('.cs-inbox-head')
      .filter({ hasText: new RegExp(`^My turn\\D*${count}\\b`) })
      .waitFor();
  const getShownApprovalId = async (): Promise<string> =>
    (await page.locator('article[data-approval]').getAttribute('data-approval')) ?? '';
  const commentBox = (name: string) => form(name).getByRole('textbox', { name: /^Comment/ });

  async function signInByKeyboard(): Promise<void> {
    await keys.expectFocus(page.getByRole('textbox', { name: 'Address' }));
    await keys.type(countersign.url);
    await keys.activate('button', 'Add', { exact: true });
    await keys.expectFocus(page.getByLabel(/^Development token/));
    await keys.type(await countersign.token('approver', { subject: 'ada' }));
    await keys.press('Enter');
    await page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor();
    await page.locator('[data-live="live"]').waitFor();
  }

  async function openByQuickNavigation(query: string): Promise<void> {
    await keys.press('Control+k');
    await keys.expectFocus(page.getByRole('combobox', { name: 'Find a command' }));
    await keys.type(query);
    await page.getByRole('option').first().waitFor();
    await keys.press('Enter');
  }

  it('should allow signing in, casting each kind of vote and undoing a vote', async () => {
    // given
    const three = [
      await maker.createApproval('simple'),
      await maker.createApproval('simple'),
      await maker.createApproval('simple'),
    ];
    const getShownApproval = async (): Promise<Approval> => {
      const id = await getShownApprovalId();
      return three.find(({ approvalId }) => approvalId === id) as Approval;
    };
    await signInByKeyboard();
    await row(/Approve the release/)
      .nth(2)
      .waitFor();
    await page.clock.install();

    // when: the user rejects, undoes the vote, and rejects again until it is sent
    await keys.press('1');
    await keys.expectFocus(row(/Approve the release/));
    await page.getByRole('button', { name: 'Reject', exact: true }).waitFor();
    const first = await getShownApproval();
    await keys.press('r');
    await keys.expectFocus(commentBox('Reject'));
    await keys.type('Not this week.');
    await keys.press('Control+Enter');
    await page.getByRole('button', { name: /^Undo/ }).waitFor();
    await keys.press('u');
    await keys.expectFocusWithin(form('Reject'));
    expect(await commentBox('Reject').inputValue()).to.equal('Not this week.');
    await keys.press('Control+Enter');
    await skipUndoWindow(page);
    await page.getByText('Rejected by ada.').first().waitFor();
    await keys.expectFocusKept();
    expect(await findCoveredFocus(page)).to.deep.equal([]);
    expect((await getCurrentApproval(first)).votes[0]).to.include({ decision: 'reject', comment: 'Not this week.' });

    // when: the user requests changes through the command palette
    await waitForInboxCount(2);
    await keys.press('1');
    await page.locator(`article[data-approval]:not([data-approval="${first.approvalId}"])`).waitFor();
    await page.getByRole('button', { name: 'Request changes' }).waitFor();
    const second = await getShownApproval();
    await openByQuickNavigation('request ch');
    await keys.expectFocus(commentBox('Request changes'));
    await keys.type('Name the migration.');
    await keys.activate('button', 'Request changes');
    await skipUndoWindow(page);
    await page.getByText('ada asked for changes.').first().waitFor();
    await keys.expectFocusKept();
    expect(await getCurrentApproval(second)).to.include({ status: 'changes_requested' });

    // when: the user approves
    const third = three.find((each) => each !== first && each !== second) as Approval;
    await waitForInboxCount(1);
    await keys.press('1');
    await page.locator(`article[data-approval="${third.approvalId}"]`).waitFor();
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
    await keys.press('a');
    await keys.expectFocus(form('Approve').getByRole('textbox', { name: /^Comment/ }));
    await keys.press('Control+Enter');
    await skipUndoWindow(page);
    await page.getByText('Approved by ada.').first().waitFor();
    await keys.expectFocusKept();
    expect(await getCurrentApproval(third)).to.include({ status: 'approved' });
    await maker.completeDraft();
  });

  it('should allow opening evidence, confirming an approval at high risk and approving in bulk', async () => {
    // given
    const risky = await maker.createRiskyApproval();
    await signInByKeyboard();
    await row(/Approve the risky release/).waitFor();
    await page.clock.install();

    // when
    await openByQuickNavigation('risky');
    await page.locator(`article[data-approval="${risky.approvalId}"]`).waitFor();
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
    await keys.press('e');
    await page.getByText('Opened', { exact: true }).waitFor();
    await keys.press('a');
    await keys.expectFocus(form('Approve').getByRole('textbox', { name: /^Comment/ }));
    await keys.press('Control+Enter');
    const confirmationDialog = page.getByRole('dialog', { name: 'High risk: approve this request?' });
    await keys.activate('button', 'Yes, approve', { within: confirmationDialog });
    await skipUndoWindow(page);

    // then
    await page.getByText('Approved by ada.').first().waitFor();
    await keys.expectFocusKept();
    expect(await getCurrentApproval(risky)).to.include({ status: 'approved' });

    // given
    const bulkApprovals = [await maker.createApproval('simple'), await maker.createApproval('simple')];
    await row(/Approve the release.*version: 1\.4\.0/)
      .nth(1)
      .waitFor();

    // when
    await keys.press('1');
    await page.locator(`article[data-approval]:not([data-approval="${risky.approvalId}"])`).waitFor();
    const selectedIds = new Set<string>();
    for (let keyPresses = 0; keyPresses < 6; keyPresses += 1) {
      const id = await getShownApprovalId();
      await page.getByRole('button', { name: 'Reject', exact: true }).waitFor();
      if (bulkApprovals.some(({ approvalId }) => approvalId === id)) {
        await keys.press('x');
        selectedIds.add(id);
      }
      if (selectedIds.size === 2) break;
      await keys.press('j');
      await page.locator(`article[data-approval]:not([data-approval="${id}"])`).waitFor();
    }
    await keys.activate('button', 'Approve 2');
    const bulkDialog = page.getByRole('dialog', { name: 'Approve 2 requests together?' });
    await keys.expectFocus(bulkDialog.getByRole('button', { name: 'Go back' }));
    await keys.activate('button', 'Approve 2', { within: bulkDialog });
    await bulkDialog.getByRole('button', { name: 'Undo' }).waitFor();
    await page.clock.fastForward(5_000);
    const results = page.getByRole('dialog', { name: 'Results' });
    await results.getByText('Approved').nth(1).waitFor();
    await keys.press('Escape');
    await results.waitFor({ state: 'detached' });
    await keys.expectFocusKept();
    for (const each of bulkApprovals)
      expect(await getCurrentApproval(each)).to.include({ status: 'approved', resolvedBy: 'ada' });
  });

  it('should restore the color scheme, the zoom and the shortcuts after a restart', async () => {
    // given
    const getInnerWidth = (): Promise<number> => page.evaluate(() => innerWidth);
    await signInByKeyboard();
    const initialWidth = await getInnerWidth();

    // when
    await openByQuickNavigation('appearance dark');
    await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
    await keys.press('Control+=');
    await page.waitForFunction((before) => innerWidth < before, initialWidth);
    await openByQuickNavigation('zoom in');
    await page.waitForFunction((before) => Math.abs(innerWidth * 1.25 - before) <= 2, initialWidth);
    await openByQuickNavigation('customize shortcuts');
    await keys.activate('button', 'Next item: j. Change');
    await keys.press('n');
    await page.getByRole('status').getByText('Next item now has the key n.').waitFor();
    const { userData } = desktop;
    await desktop.close();
    await start(userData);

    // then
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
    await page.waitForFunction((before) => Math.abs(innerWidth * 1.25 - before) <= 2, initialWidth);
    await keys.press('Control+0');
    await page.waitForFunction((before) => innerWidth === before, initialWidth);
    const signedOut = page.getByLabel(/^Development token/);
    await signedOut.or(page.locator('[data-live="live"]')).first().waitFor();
    if (await signedOut.isVisible()) {
      await keys.type(await countersign.token('approver', { subject: 'ada' }));
      await keys.press('Enter');
      await page.locator('[data-live="live"]').waitFor();
    }
    await keys.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByRole('row', { name: 'Next item n' }).waitFor();
  });

  it('should allow zooming with the application menu', async () => {
    const zoomPercentages = await desktop.app.evaluate(({ BrowserWindow, Menu }) => {
      const { webContents } = BrowserWindow.getAllWindows()[0] as Electron.BrowserWindow;
      const view = Menu.getApplicationMenu()?.items.find(({ label }) => label === '&View')?.submenu;
      return ['Zoom in', 'Zoom in', 'Zoom out', 'Actual size'].map((label) => {
        view?.items.find((item) => item.label === label)?.click();
        return Math.round(webContents.getZoomFactor() * 100);
      });
    });
    expect(zoomPercentages).to.deep.equal([110, 125, 110, 100]);
  });

  it('should open the third-party notices from the application menu in a single window', async () => {
    const openNotices = (): Promise<void> =>
      desktop.app.evaluate(({ Menu }) => {
        const help = Menu.getApplicationMenu()?.items.find(({ label }) => label === '&Help')?.submenu;
        help?.items.find(({ label }) => label === 'Third-party notices')?.click();
      });
    const openedWindow = desktop.app.waitForEvent('window');
    await openNotices();
    const window = await openedWindow;
    await window.getByText('Third-party notices', { exact: false }).waitFor();
    await openNotices();
    const noticeUrls = await desktop.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()
        .map(({ webContents }) => webContents.getURL())
        .filter((url) => url.endsWith('/third-party-notices.txt')),
    );
    expect(noticeUrls).to.deep.equal(['countersign-app://inbox/third-party-notices.txt']);
    await window.close();
  });
});
