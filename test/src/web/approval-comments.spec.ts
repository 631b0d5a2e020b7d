import type { Approval, Client } from '@countersign/contract';
import { approvalModel, createTestHost, waitForApproval, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import {
  changeColorScheme,
  expectAccessible,
  hasBrowser,
  launchBrowser,
  openWindow,
  type Window,
} from './web.spec.support.js';

const PATCH = `--- a/pay.ts
+++ b/pay.ts
@@ -1,3 +1,3 @@
 const rate = 1;
-const limit = 100;
+const limit = 900;
 export { rate, limit };
`;

(hasBrowser() ? describe : describe.skip)('web: comments on an approval', () => {
  let countersign: TestHost;
  let browser: Browser;
  let otto: Client;
  let bob: Client;
  let windows: Window[];

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ jobTypes: ['work'] }), launchBrowser()]);
    await countersign.deploy(
      approvalModel(
        'discussed',
        '',
        '<bpmn:extensionElements><zeebe:properties><zeebe:property name="approval.reworkStep" value="work" /><zeebe:property name="approval.title" value="=&quot;Pay &quot; + payee" /></zeebe:properties></bpmn:extensionElements>',
      ),
    );
    [otto, bob] = await Promise.all([countersign.client('operator', 'otto'), countersign.client('approver', 'bob')]);
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
  });

  beforeEach(() => {
    windows = [];
  });

  afterEach(() => Promise.all(windows.map((window) => window.close())));

  async function openPage(role: 'approver' | 'operator' | 'viewer', subject: string, path: string): Promise<Page> {
    const token = await countersign.token(role, { subject });
    const window = await openWindow(browser, { url: countersign.url, token });
    windows.push(window);
    await window.page.setViewportSize({ width: 1280, height: 900 });
    await window.page.goto(`${countersign.url}${path}`);
    return window.page;
  }

  const openApproval = (subject: string, { approvalId }: Approval): Promise<Page> =>
    openPage('approver', subject, `/approvals/${approvalId}`);

  async function requestApproval(payee: string, more: Readonly<Record<string, string>> = {}): Promise<Approval> {
    const { runId } = await otto.startRun({
      body: { workflowId: 'discussed', inputs: { payee, patch: PATCH, ...more } },
    });
    await countersign.jobs.complete('work', {});
    return waitForApproval(otto, runId);
  }

  /** Waits until the browser has stored that the user has seen an approval, and whether all of its subject. */
  const waitForVisit = (page: Page, { approvalId }: Approval, sawSubject = false) =>
    page.waitForFunction(
      ([id, isWhole]) => {
        const stored = Object.entries(localStorage).find(([key]) => key.startsWith('countersign:visits:'))?.[1];
        const visits = JSON.parse(stored ?? '[]') as [string, string, string, boolean][];
        return visits.some(([visitedId, , , saw]) => visitedId === id && (saw || !isWhole));
      },
      [approvalId, sawSubject] as const,
    );

  const getDiscussion = (page: Page, count: number) =>
    page
      .getByRole('region', { name: `Discussion (${count})`, exact: true })
      .or(page.getByRole('group', { name: `Discussion (${count})`, exact: true }));

  it('should reach the requester, whose reply appears in the thread of the approver', async () => {
    // given
    const approval = await requestApproval('ACME');
    const approverPage = await openApproval('bob', approval);
    const requesterPage = await openPage('operator', 'otto', `/runs/${approval.runId}?tab=approvals`);
    await requesterPage.getByRole('textbox', { name: 'Comment without voting' }).waitFor();

    // when: the approver asks by keyboard
    await approverPage.getByRole('heading', { name: 'Pay ACME' }).waitFor();
    await approverPage.keyboard.press('m');
    await approverPage
      .getByRole('textbox', { name: 'Comment without voting' })
      .and(approverPage.locator(':focus'))
      .waitFor();
    await approverPage.keyboard.type('Which contract? <b>ja</b>');
    await approverPage.keyboard.press('Control+Enter');

    // then: nothing was decided, and the requester is notified
    await getDiscussion(approverPage, 1).getByText('Which contract? <b>ja</b>').waitFor();
    expect(await bob.getApproval({ approvalId: approval.approvalId })).to.include({ status: 'pending' });
    await requesterPage.getByText('bob commented on “Pay ACME”').waitFor();

    // when
    await getDiscussion(requesterPage, 1).getByRole('button', { name: 'Reply' }).click();
    await requesterPage.keyboard.type('The one of 2026.');
    await requesterPage.keyboard.press('Control+Enter');

    // then
    const replies = getDiscussion(approverPage, 2).getByRole('list', { name: '1 reply' });
    await replies.getByText('The one of 2026.').waitFor();
    await replies.getByText('Requester').waitFor();
    await replies.getByText('New', { exact: true }).waitFor();
    for (const theme of ['light', 'dark'] as const) {
      await changeColorScheme(approverPage, theme);
      await expectAccessible(approverPage);
    }
  });

  it('should be written on a line of a difference, and stay there in the next round only if the line is the same', async () => {
    // given
    const approval = await requestApproval('Line Ltd');
    const page = await openApproval('bob', approval);
    const file = page.locator('.cs-patch-file');
    const lineBelow = (side: string, line: number) => file.locator(`[data-side="${side}"][data-line="${line}"]`).last();

    // when: one with the mouse, one with the keyboard
    const added = lineBelow('after', 2);
    await added.hover();
    await added.locator('.cs-diff-write').click();
    await page.keyboard.type('Why 900?');
    await page.keyboard.press('Control+Enter');
    await file.locator('.cs-line-comments').getByText('Why 900?').waitFor();
    await file.getByRole('button', { name: 'Comment on a line' }).press('Enter');
    await page.keyboard.type('12');
    await page.keyboard.press('Enter');
    await page.getByText('There is no such line here.').waitFor();
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Comment on line 1' }).fill('Fine.');
    await page.getByRole('button', { name: 'Comment', exact: true }).first().click();

    // then
    await file.locator('.cs-line-comments').getByText('Fine.').waitFor();
    const quote = getDiscussion(page, 2).getByText('pay.ts, line 2');
    await quote.waitFor();
    const { items } = await bob.listApprovalComments({ approvalId: approval.approvalId });
    expect(items.map(({ line }) => line)).to.deep.equal([
      { pointer: '/inputs/patch', file: 'pay.ts', side: 'after', number: 2, quote: 'const limit = 900;' },
      { pointer: '/inputs/patch', file: 'pay.ts', side: 'after', number: 1, quote: 'const rate = 1;' },
    ]);
    await expectAccessible(page);

    // when: the next round has another second line
    const { items: events } = await otto.listRunEvents({ runId: approval.runId });
    await bob.decideApproval({
      approvalId: approval.approvalId,
      body: { decision: 'request_changes', comment: 'Lower the limit' },
    });
    await countersign.jobs.complete('work', { patch: PATCH.replace('900', '200') });
    const next = await waitForApproval(otto, approval.runId, events.at(-1)?.seq);
    await page.goto(`${countersign.url}/approvals/${next.approvalId}`);

    // then
    await file.locator('.cs-line-comments').getByText('Fine.').waitFor();
    expect(await file.locator('.cs-line-comments').getByText('Why 900?').count()).to.equal(0);
    await getDiscussion(page, 2).getByText('Why 900?').waitFor();
  });

  it('should be compared with the round that the user saw last', async () => {
    // given: bob sees round 1, and others work on the next two rounds
    const ada = await countersign.client('approver', 'ada');
    const first = await requestApproval('Round Ltd', { amount: '1' });
    const page = await openApproval('bob', first);
    await page.getByRole('region', { name: 'Discussion' }).scrollIntoViewIfNeeded();
    await waitForVisit(page, first, true);
    let latest = first;
    for (const amount of ['2', '3']) {
      const { items } = await otto.listRunEvents({ runId: first.runId });
      await ada.decideApproval({
        approvalId: latest.approvalId,
        body: { decision: 'request_changes', comment: `Take ${amount}` },
      });
      await countersign.jobs.complete('work', { amount });
      latest = await waitForApproval(otto, first.runId, items.at(-1)?.seq);
    }
    await otto.commentOnApproval({ approvalId: latest.approvalId, body: { text: 'Twice changed' } });

    // when
    await page.goto(`${countersign.url}/approvals/${latest.approvalId}`);

    // then
    await page.getByRole('heading', { name: 'Since round 1, when you last looked' }).waitFor();
    await page.getByRole('button', { name: '1 new comment since you last looked' }).waitFor();
    const compared = page.getByRole('combobox', { name: 'Compare with' });
    await compared.selectOption({ label: 'Round 2' });
    await page.getByRole('heading', { name: 'Since round 2' }).waitFor();
  });

  it('should mark new comments in the list until they were seen', async () => {
    // given
    const approval = await requestApproval('Row Ltd');
    await requestApproval('Other Ltd');
    const page = await openApproval('bob', approval);
    await waitForVisit(page, approval);
    const row = page.getByRole('row', { name: /Row Ltd/ });
    await page.getByRole('row', { name: /Other Ltd/ }).click();
    await page.getByRole('heading', { name: 'Pay Other Ltd' }).waitFor();
    await page.setViewportSize({ width: 1280, height: 480 });

    // when
    await otto.commentOnApproval({ approvalId: approval.approvalId, body: { text: 'One more thing' } });

    // then
    await row.getByText('1 comment, new').waitFor();
    await row.click();
    const link = page.getByRole('button', { name: '1 new comment since you last looked' });
    await link.waitFor();
    expect(await row.getByText('1 comment, new').count(), 'below the first screen').to.equal(1);
    await link.click();
    await getDiscussion(page, 1).getByText('One more thing').waitFor();
    await row.getByText('1 comment', { exact: true }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).to.include('One more thing');
  });

  it('should be marked in the list at the newest round, also if they are on an earlier one', async () => {
    // given: bob sees round 2, and then another approval
    const ada = await countersign.client('approver', 'ada');
    const first = await requestApproval('Earlier Ltd');
    const { items } = await otto.listRunEvents({ runId: first.runId });
    await ada.decideApproval({
      approvalId: first.approvalId,
      body: { decision: 'request_changes', comment: 'Once more' },
    });
    await countersign.jobs.complete('work', {});
    const second = await waitForApproval(otto, first.runId, items.at(-1)?.seq);
    await requestApproval('Unrelated Ltd');
    const page = await openApproval('bob', second);
    await waitForVisit(page, second);
    await page.getByRole('row', { name: /Unrelated Ltd/ }).click();
    await page.getByRole('heading', { name: 'Pay Unrelated Ltd' }).waitFor();

    // when
    await otto.commentOnApproval({ approvalId: first.approvalId, body: { text: 'About the first round' } });

    // then
    await page
      .getByRole('row', { name: /Earlier Ltd/ })
      .getByText('1 comment, new')
      .waitFor();
  });

  it('should keep an unsent comment when the user moves on, and when the server refuses it', async () => {
    // given
    const [approval, other] = [await requestApproval('Draft Ltd'), await requestApproval('Next Ltd')];
    const page = await openApproval('bob', approval);
    const field = page.getByRole('textbox', { name: 'Comment without voting' });
    await field.fill('Half a thought');

    // when
    await page.getByRole('row', { name: /Next Ltd/ }).click();
    await page.getByRole('heading', { name: 'Pay Next Ltd' }).waitFor();
    expect(await field.inputValue()).to.equal('');
    await page.getByRole('row', { name: /Draft Ltd/ }).click();
    await page.getByRole('heading', { name: 'Pay Draft Ltd' }).waitFor();
    expect(await field.inputValue()).to.equal('Half a thought');
    await page.route('**/comments', (route) =>
      route.request().method() === 'POST' ? route.abort('connectionreset') : route.continue(),
    );
    await page.getByRole('button', { name: 'Comment', exact: true }).click();

    // then
    await page.getByRole('region', { name: 'Discussion' }).getByRole('alert').waitFor();
    expect(await field.inputValue()).to.equal('Half a thought');
    await page.unroute('**/comments');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await getDiscussion(page, 1).getByText('Half a thought').waitFor();
    expect((await bob.listApprovalComments({ approvalId: other.approvalId })).items).to.deep.equal([]);
  });

  it('should be readable for viewers, who are offered no form', async () => {
    const approval = await requestApproval('View Ltd');
    await bob.commentOnApproval({ approvalId: approval.approvalId, body: { text: 'Read me' } });
    const page = await openPage('viewer', 'vera', `/approvals/${approval.approvalId}`);

    await getDiscussion(page, 1).getByText('Read me').waitFor();
    expect(await page.getByRole('textbox', { name: 'Comment without voting' }).count()).to.equal(0);
    expect(await page.getByRole('button', { name: 'Reply' }).count()).to.equal(0);
    expect(await page.getByRole('button', { name: 'Comment on a line' }).count()).to.equal(0);
  });
});
