import type { Approval } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { ScriptedAgents } from '../http/scripted-agents.spec.support.js';
import { APPROVAL_JOBS, ApprovalMaker } from '../web/approvals.spec.support.js';
import {
  expectAccessible,
  expectCount,
  hasBrowser,
  launchBrowser,
  openWindow,
  type Window,
} from '../web/web.spec.support.js';

const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(2)</script>',
  '[a](javascript:alert(3)) ![b](https://evil.example/x.png)',
  '<svg/onload=alert(4)>',
  '{{7*7}}${7*7}',
  'safe\u202egpj.exe',
];

(hasBrowser() ? describe : describe.skip)('web: the approval inbox', () => {
  const agents = new ScriptedAgents({
    writer: (turn) =>
      turn === 1
        ? { text: 'I write.', taint: ['webhook'], calls: [{ tool: 'note', arguments: { text: HOSTILE.join('\n') } }] }
        : { output: {} },
  });
  let countersign: TestHost;
  let browser: Browser;
  let maker: ApprovalMaker;
  let riskyApproval: Approval;
  let overdueApproval: Approval;

  before(async () => {
    [countersign, browser] = await Promise.all([
      createTestHost({ jobTypes: APPROVAL_JOBS, plugins: [agents.plugin()] }),
      launchBrowser(),
    ]);
    maker = await ApprovalMaker.deployTo(countersign, 'simple', 'quorum', 'evidence', 'overdue', 'agent', 'hostile');
    overdueApproval = await maker.createApproval('overdue');
    riskyApproval = await maker.createRiskyApproval(`# Notes\n\n${HOSTILE.join('\n\n')}\n`);
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
  });

  async function open(
    path: string,
    windowOptions: { colorScheme?: 'dark'; viewport?: { width: number; height: number } } = {},
  ): Promise<Window> {
    const window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token('approver', { subject: 'ada' }),
      ...windowOptions,
    });
    await window.page.goto(`${countersign.url}${path}`);
    return window;
  }

  const readTitles = (page: Page): Promise<string[]> =>
    page
      .getByRole('grid', { name: 'Approval requests' })
      .locator('[data-index]')
      .evaluateAll((rows) => rows.map((row) => row.querySelector('.cs-inbox-first span')?.textContent ?? ''));

  it('should list the most urgent approvals first, show new ones live, and find one by search', async () => {
    // given
    const window = await open('/approvals');
    const { page } = window;
    await page.getByRole('row', { name: /Approve the risky release.*High risk/ }).waitFor();
    await page.getByRole('row', { name: /Approve what is late.*Overdue.*version: 1\.4\.0/ }).waitFor();
    await page.locator('[data-live="live"]').waitFor();

    // when
    await maker.createApproval('quorum');

    // then
    await page.getByRole('row', { name: /Approve by two/ }).waitFor();
    expect(await readTitles(page)).to.deep.equal([
      'Approve the risky release',
      'Approve what is late',
      'Approve by two',
    ]);

    // when
    await page.keyboard.press('/');
    await page.keyboard.type('late');
    await page.getByRole('row', { name: /Approve by two/ }).waitFor({ state: 'detached' });
    // The page may have searched for a part of the word before.
    await page.waitForURL(({ search }) => search === '?q=late');
    await page.keyboard.press('Enter');

    // then
    await page.getByRole('heading', { level: 2, name: 'Approve what is late' }).waitFor();
    expect(new URL(page.url()).search).to.equal('?q=late');
    expect(page.url()).to.contain(overdueApproval.approvalId);
    await window.close();
  });

  it('should be accessible in light and dark mode', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const window = await open(
        `/approvals/${riskyApproval.approvalId}`,
        colorScheme === 'dark' ? { colorScheme } : {},
      );
      const { page } = window;
      await page.getByRole('heading', { level: 2, name: 'Approve the risky release' }).waitFor();
      await page.getByRole('button', { name: 'Open notes.md' }).click();
      await page.getByText('Opened', { exact: true }).waitFor();
      await expectAccessible(page);
      await page.keyboard.press('a');
      await page.getByRole('form').getByRole('button', { name: 'Approve' }).press('Enter');
      await page.getByRole('dialog', { name: 'High risk: approve this request?' }).waitFor();
      await expectAccessible(page);
      await window.close();
    }
  });

  it('should display hostile content as plain text and never execute it', async () => {
    // given
    const callApproval = await maker.createApproval('agent');
    const { approvalId } = await maker.createApproval('hostile', { notes: HOSTILE.join('\n') });
    const bea = await countersign.client('approver', 'bea');
    await bea.decideApproval({ approvalId, body: { decision: 'reject', comment: HOSTILE.join(' ') } });
    const window = await open(`/approvals/${callApproval.approvalId}`);
    const { page } = window;

    // when, then: the window reports any script that ran and any request as an error
    await page
      .getByText(/Call note .*with text: "<img src=x onerror=alert\(1\)>/)
      .first()
      .waitFor();
    await page.goto(`${countersign.url}/approvals/${approvalId}`);
    await page.getByRole('heading', { level: 2, name: '<img src=x onerror=alert(1)>' }).waitFor();
    await page.getByText('<svg/onload=alert(4)>').first().waitFor();
    await page.goto(`${countersign.url}/approvals/${riskyApproval.approvalId}`);
    await page.getByRole('button', { name: 'Open notes.md' }).click();
    const content = page.getByRole('region', { name: 'notes.md, version 1' });
    for (const format of ['Plain', 'Formatted']) {
      await content.getByText(format, { exact: true }).click();
      await content.getByText('onerror=alert(1)').waitFor();
      await expectCount(content.locator('script, svg, img, iframe'), 0);
    }
    await window.close();
  });

  it('should approve several approvals together only if they are of the same step and workflow', async () => {
    // given
    const approvals = [await maker.createApproval('simple'), await maker.createApproval('simple')];
    const window = await open('/approvals');
    const { page } = window;
    await page.clock.install();
    const checkboxes = page.getByRole('row', { name: /Approve the release/ }).getByRole('checkbox');
    await checkboxes.nth(1).waitFor();

    // when
    await checkboxes.nth(0).click();
    await page
      .getByRole('row', { name: /Approve what is late/ })
      .getByRole('checkbox')
      .click();
    await page.getByText('Only requests of the same step of the same workflow can be approved together.').waitFor();
    await page
      .getByRole('row', { name: /Approve what is late/ })
      .getByRole('checkbox')
      .click();
    await checkboxes.nth(1).click();
    await page.getByRole('button', { name: 'Approve 2' }).click();
    const dialog = page.getByRole('dialog', { name: 'Approve 2 requests together?' });
    await dialog.getByRole('button', { name: 'Approve 2' }).click();
    await dialog.getByRole('button', { name: 'Undo' }).waitFor();
    await page.clock.fastForward(5_000);

    // then
    await page.getByRole('dialog', { name: 'Results' }).getByText('Approved').nth(1).waitFor();
    for (const { approvalId } of approvals)
      expect(await maker.vera.getApproval({ approvalId })).to.include({ status: 'approved', resolvedBy: 'ada' });
    await window.close();
  });

  it('should show either the list or the approval in a narrow window', async () => {
    const window = await open('/approvals', { viewport: { width: 390, height: 800 } });
    const { page } = window;
    await page.getByRole('row', { name: /Approve what is late/ }).click();
    await page.getByRole('heading', { level: 2, name: 'Approve what is late' }).waitFor();
    await expectCount(page.getByRole('grid', { name: 'Approval requests' }), 0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).to.be.at.most(390);
    await page.getByRole('button', { name: 'Back to list' }).click();
    await page.getByRole('row', { name: /Approve what is late/ }).waitFor();
    await window.close();
  });

  it('should load more approvals on scrolling, and render only the visible rows', async () => {
    // given
    const template = await maker.vera.getApproval({ approvalId: overdueApproval.approvalId });
    const window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token('approver', { subject: 'ada' }),
    });
    const { page } = window;
    await page.route('**/api/inbox?*inbox=mine*', async (route) => {
      const offset = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
      const items = Array.from({ length: 500 }, (_, index) => ({
        ...template,
        approvalId: `01890000-0000-7000-8000-${String(offset + index).padStart(12, '0')}`,
        title: `Request ${offset + index}`,
        canDecide: { allowed: true, reasons: [] },
      }));
      await route.fulfill({ json: { items, nextCursor: offset < 1_500 ? String(offset + 500) : null } });
    });
    await page.goto(`${countersign.url}/approvals`);
    const grid = page.getByRole('grid', { name: 'Approval requests' });
    await grid.getByRole('row', { name: /Request 0 / }).focus();

    // when: each scroll to the end of the loaded rows loads more
    const scrollToEnd = (): Promise<number> =>
      grid.evaluate((scroller) => (scroller.scrollTo(0, scroller.scrollHeight), scroller.scrollHeight));
    let height = 0;
    while (!(await grid.getByRole('row', { name: /Request 1999 / }).isVisible())) {
      const previousHeight = height;
      height = await scrollToEnd();
      if (height === previousHeight) await page.evaluate(() => new Promise(requestAnimationFrame));
    }

    // then
    await grid.getByRole('row', { name: /Request 1999 / }).waitFor();
    expect(await grid.getByRole('row').count()).to.be.below(60);
    await window.close();
  });

  it('should show a message if the approval does not exist', async () => {
    const window = await open('/approvals/01890000-0000-7000-8000-000000000000');
    await window.page.getByText('Approval not found').waitFor();
    await window.close();
  });
});
