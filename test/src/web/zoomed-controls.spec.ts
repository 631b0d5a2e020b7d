import type { Role } from '@countersign/contract';
import { createTestHost, isoTimeIn, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Locator } from 'playwright-core';
import { APPROVAL_JOBS, ApprovalMaker } from './approvals.spec.support.js';
import { Keyboard } from './keyboard.spec.support.js';
import { findFocusErrors, findReflowErrors } from './page-checks.spec.support.js';
import { findUnusableControls, HALF_VIEWPORT } from './usable-controls.spec.support.js';
import { extendUndoWindow } from './undo-window.spec.support.js';
import { hasBrowser, launchBrowser, openWindow, waitUntilLive, type Window } from './web.spec.support.js';

const PEOPLE = 12;
const PATCH = `diff --git a/src/billing/one.ts b/src/billing/one.ts
--- a/src/billing/one.ts
+++ b/src/billing/one.ts
@@ -1,2 +1,2 @@
-const one = 1;
+const one = 2;
 const two = 2;
`;

(hasBrowser() ? describe : describe.skip)('web: controls of approvals at 200 % zoom', () => {
  let countersign: TestHost;
  let browser: Browser;
  let maker: ApprovalMaker;
  let window: Window;
  let keys: Keyboard;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ jobTypes: APPROVAL_JOBS }), launchBrowser()]);
    maker = await ApprovalMaker.deployTo(countersign, 'simple', 'quorum');
    for (let number = 1; number <= PEOPLE; number += 1) {
      const token = await countersign.token('approver', {
        subject: `person-${number}`,
        name: `Person Number-${number} of the Auditing Department`,
        groups: [`auditors-of-region-${number}`],
      });
      const headers = { authorization: `Bearer ${token}` };
      expect((await fetch(`${countersign.url}/api/me`, { headers })).status).to.equal(200);
    }
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
  });

  afterEach(() => window.close());

  async function open(path: string, role: Role, subject: string): Promise<void> {
    window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token(role, { subject }),
      viewport: HALF_VIEWPORT,
      afterVote: 'next',
    });
    keys = new Keyboard(window.page);
    await window.page.goto(`${countersign.url}${path}`);
    await waitUntilLive(window.page);
  }

  /** Asserts that everything in a part of the page can be seen, and reached by keyboard. */
  async function expectUsable(part: Locator): Promise<void> {
    const { page } = window;
    expect(await findUnusableControls(part)).to.deep.equal([]);
    expect(await findReflowErrors(page)).to.deep.equal([]);
    expect(await findFocusErrors(page)).to.deep.equal([]);
  }

  /** Opens the choices of the focused field, asserts that each can be seen beside the field, and chooses the last. */
  async function chooseLast(field: Locator): Promise<void> {
    const { page } = window;
    await keys.expectFocus(field);
    await keys.press('ArrowDown');
    const options = page.getByRole('option');
    await options.nth(PEOPLE - 1).waitFor();
    const list = page.getByRole('listbox').filter({ visible: true });
    expect(await findUnusableControls(list)).to.deep.equal([]);
    const [fieldBox, listBox] = [await field.boundingBox(), await list.boundingBox()];
    const isBelow = (listBox?.y ?? 0) >= (fieldBox?.y ?? 0) + (fieldBox?.height ?? 0) - 1;
    const isAbove = (listBox?.y ?? 0) + (listBox?.height ?? 0) <= (fieldBox?.y ?? 0) + 1;
    expect(isBelow || isAbove, 'the choices cover the field').to.equal(true);
    await keys.press('ArrowUp');
    await page.locator('[data-combobox-selected]').waitFor();
    await keys.press('Enter');
    await options.first().waitFor({ state: 'detached' });
  }

  /** Presses a key until an element has the focus: fields for dates consist of several parts. */
  async function pressUntilFocused(key: string, target: Locator): Promise<void> {
    for (let presses = 0; (await target.and(window.page.locator(':focus')).count()) === 0; presses += 1) {
      expect(presses, `${key} does not reach ${String(target)}`).to.be.below(20);
      await keys.press(key);
    }
  }

  async function chooseMenuItem(name: string): Promise<void> {
    await keys.expectFocusWithin(window.page.getByRole('menu'));
    await pressUntilFocused('ArrowDown', window.page.getByRole('menuitem', { name, exact: true }));
    await keys.press('Enter');
  }

  async function openAction(item: 'Delegate' | 'Reassign'): Promise<Locator> {
    await keys.activate('button', 'More actions');
    await chooseMenuItem(item);
    const dialog = window.page.getByRole('dialog', { name: `${item} this approval` });
    await dialog.locator('[role="combobox"]:focus').waitFor();
    return dialog;
  }

  it('should be usable when an approval is delegated', async () => {
    // given
    const { approvalId } = await maker.createApproval('quorum');
    await open(`/approvals/${approvalId}`, 'approver', 'ada');
    const dialog = await openAction('Delegate');

    // when
    await chooseLast(dialog.getByRole('combobox', { name: 'Who may decide for you' }));

    // then
    await expectUsable(dialog);
    await pressUntilFocused('Tab', dialog.getByRole('button', { name: 'Delegate', exact: true }));
    await keys.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await window.page.getByText(/ada delegated this approval to person-/).waitFor();
  });

  it('should be usable when an approval is reassigned', async () => {
    // given
    const { approvalId } = await maker.createApproval('quorum');
    await open(`/approvals/${approvalId}`, 'admin', 'root');
    const dialog = await openAction('Reassign');

    // when
    const [users, groups] = [
      dialog.getByRole('combobox', { name: 'Users' }),
      dialog.getByRole('combobox', { name: 'Groups' }),
    ];
    for (let chosen = 0; chosen < 4; chosen += 1) await keys.type(`person-${chosen + 1},`);
    await chooseLast(users);
    await keys.tabTo('combobox', 'Groups', { within: dialog });
    await chooseLast(groups);

    // then
    await expectUsable(dialog);
    await pressUntilFocused('Tab', dialog.getByRole('button', { name: 'Reassign', exact: true }));
    await keys.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const { candidateUsers, candidateGroups } = await maker.vera.getApproval({ approvalId });
    expect([candidateUsers.length, candidateGroups.length]).to.deep.equal([5, 1]);
  });

  it('should be usable when an absence is set', async () => {
    // given
    await open('/approvals', 'approver', 'cem');
    const { page } = window;
    await keys.activate('button', /^cem · /);
    await chooseMenuItem('Out of office');
    const dialog = page.getByRole('dialog', { name: 'Out of office' });
    await dialog.getByLabel('Away until').fill(isoTimeIn(3 * 86_400_000).slice(0, 16));

    // when
    await pressUntilFocused('Tab', dialog.getByRole('combobox', { name: 'Substitute' }));
    await chooseLast(dialog.getByRole('combobox', { name: 'Substitute' }));

    // then
    await expectUsable(dialog);
    await pressUntilFocused('Tab', dialog.getByRole('button', { name: 'Save', exact: true }));
    await keys.press('Enter');
    await dialog.waitFor({ state: 'detached' });
  });

  it('should be usable in the line and the list of pending votes', async () => {
    // given
    const approvals = [];
    for (let count = 0; count < 5; count += 1) approvals.push(await maker.createApproval('simple'));
    await open(`/approvals/${approvals[0]?.approvalId}`, 'approver', 'ada');
    const { page } = window;
    await extendUndoWindow(page);
    for (const { approvalId } of approvals.slice(0, 4)) {
      await page.locator(`article[data-approval="${approvalId}"]`).waitFor();
      await keys.press('r');
      const form = page.getByRole('form', { name: 'Reject' });
      await keys.expectFocus(form.getByRole('textbox'));
      await expectUsable(form);
      await form.getByRole('textbox').focus();
      await keys.type(`No: ${approvalId}`);
      await keys.press('Control+Enter');
    }
    await page.locator(`article[data-approval="${approvals[4]?.approvalId}"]`).waitFor();
    const bar = page.getByRole('region', { name: 'Your decisions' });

    // when, then
    await expectUsable(bar);
    await keys.activate('button', '3 more', { within: bar });
    await bar.getByRole('group').nth(3).waitFor();
    await expectUsable(bar);
    await bar.getByRole('button', { name: '3 more' }).focus();
    await keys.activate('button', 'Undo', { within: bar, isBackward: true });
    await page.getByRole('form', { name: 'Reject' }).waitFor();
  });

  it('should be usable when a line is commented on', async () => {
    // given
    const { approvalId } = await maker.createApproval('simple', { notes: PATCH });
    await open(`/approvals/${approvalId}`, 'approver', 'ada');
    const { page } = window;

    // when
    await keys.activate('button', 'Comment on a line of src/billing/one.ts');
    const picker = page.getByRole('form', { name: 'Comment on a line of src/billing/one.ts' });
    await keys.expectFocusWithin(picker);
    await expectUsable(picker);
    await picker.getByRole('textbox').focus();
    await keys.type('9');
    await keys.press('Enter');
    await picker.getByText('There is no such line here.').waitFor();
    await expectUsable(picker);
    await picker.getByRole('textbox').focus();
    await keys.replaceText('1');
    await keys.press('Enter');

    // then
    const form = page.getByRole('group', { name: 'Comment on a line of src/billing/one.ts' });
    await keys.expectFocus(form.getByRole('textbox', { name: 'Comment on line 1' }));
    await keys.type('Why two?');
    await expectUsable(form);
    await keys.activate('button', 'Comment', { within: form, exact: true });
    await page.getByText('Why two?').and(page.locator('article *')).first().waitFor();
  });
});
