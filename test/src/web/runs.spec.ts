import type { Client } from '@countersign/contract';
import {
  approvalModel,
  createTestHost,
  processModel,
  serviceTask,
  type TestHost,
  waitUntil,
} from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { expectAccessible, expectCount, hasBrowser, launchBrowser, openWindow } from './web.spec.support.js';

(hasBrowser() ? describe : describe.skip)('web: runs', () => {
  let countersign: TestHost;
  let browser: Browser;
  let operator: Client;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ jobTypes: ['work', 'failing'] }), launchBrowser()]);
    operator = await countersign.client('operator', 'olga');
    await countersign.deploy(approvalModel('simple'));
    await countersign.deploy(
      processModel(
        'breaks',
        `<bpmn:startEvent id="start" />${serviceTask('failing', 'failing', 1)}<bpmn:endEvent id="end" />`,
        'start > failing',
        'failing > end',
      ),
    );
    for (const businessKey of ['alpha', 'beta', 'gamma']) {
      await operator.startRun({ body: { workflowId: 'simple', businessKey } });
      await countersign.jobs.complete('work');
    }
    for (const businessKey of ['delta', 'epsilon']) {
      await operator.startRun({ body: { workflowId: 'breaks', businessKey } });
      (await countersign.jobs.take('failing')).fail(new Error('the disk is full'));
    }
    await waitUntil(
      'all runs have failed or are blocked',
      async () =>
        (await operator.listRuns({ status: 'failed' })).items.length === 2 &&
        (await operator.listRuns({ status: 'blocked' })).items.length === 3,
    );
  });

  after(async () => {
    await browser?.close();
    await countersign.close();
  });

  const open = async (
    path: string,
    role: 'viewer' | 'operator' = 'operator',
    colorScheme: 'light' | 'dark' = 'light',
  ) => {
    const window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token(role, { subject: 'olga' }),
      colorScheme,
    });
    await window.page.goto(`${countersign.url}${path}`);
    return window;
  };
  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`should show the status of each run and the reason for waiting, accessibly (${colorScheme})`, async () => {
      const window = await open('/runs', 'operator', colorScheme);
      const { page } = window;
      await row(page, 'alpha').getByText('Approval: Approve it').waitFor();
      await row(page, 'alpha').getByText('Waiting', { exact: true }).waitFor();
      await row(page, 'delta').getByText('the disk is full').waitFor();
      await page.getByText('5 runs').waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Filters' }).click();
      await page.getByRole('combobox', { name: 'Status' }).waitFor();
      await expectAccessible(page);
      await window.close();
    });
  }

  it('should filter the list by search, filters in the address, and saved views', async () => {
    const window = await open('/runs?status=failed&q=eps');
    const { page } = window;
    // given: an address with filters
    await row(page, 'epsilon').waitFor();
    await expectCount(row(page, 'delta'), 0);
    // when: the user searches for another text
    await page.keyboard.press('/');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('delta');
    await row(page, 'delta').waitFor();
    await row(page, 'epsilon').waitFor({ state: 'detached' });
    // The page may first search for a part of the word.
    await page.waitForURL(({ search }) => search === '?status=failed&q=delta');
    // when: the user saves the filters under a name
    await page.getByRole('button', { name: 'Unsaved view' }).click();
    await page.getByRole('menuitem', { name: 'Save view…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Broken deltas');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'View: Broken deltas' }).click();
    await page.getByRole('menuitem', { name: 'Waiting for approval' }).click();
    await row(page, 'alpha').waitFor();
    expect(new URL(page.url()).search).to.equal('?waitingFor=approval');
    await page.getByRole('button', { name: 'View: Waiting for approval' }).click();
    await page.getByRole('menuitem', { name: 'Waiting for an answer' }).click();
    await page.getByText('No matching runs').waitFor();
    expect(new URL(page.url()).search).to.equal('?waitingFor=question');
    await page.goBack();
    // then: after a reload the view exists, and can be selected and deleted
    await page.reload();
    await page.getByRole('button', { name: 'View: Waiting for approval' }).click();
    await page.getByRole('menuitem', { name: 'Broken deltas' }).click();
    await row(page, 'delta').waitFor();
    await page.getByRole('button', { name: 'View: Broken deltas' }).click();
    await page.getByRole('menuitem', { name: 'Delete view' }).click();
    await page.getByRole('button', { name: 'Unsaved view' }).waitFor();
    await page.getByRole('button', { name: 'Remove the filter Status' }).click();
    await page.waitForURL(/\/runs\?q=delta$/);
    // then: the page reports that nothing was found
    await page.getByRole('searchbox', { name: 'Search' }).fill('no such run');
    await page.getByText('No matching runs').waitFor();
    await window.close();
  });

  it('should not restore a filter that was just removed, or a search that was just cleared', async () => {
    // given
    const window = await open('/runs?status=failed&riskLevel=high&q=eps');
    const { page } = window;
    await page.getByText('No matching runs').waitFor();

    // when: both filters change before the page can show either
    await page.evaluate(() => {
      for (const name of ['Status', 'Risk'])
        document.querySelector<HTMLElement>(`[aria-label="Remove the filter ${name}"]`)?.click();
    });

    // then
    await row(page, 'epsilon').waitFor();
    expect(new URL(page.url()).search).to.equal('?q=eps');

    // when
    await page.clock.install();
    await page.getByRole('searchbox', { name: 'Search' }).fill('no such run');
    await page.getByRole('button', { name: /^Clear/ }).click();
    await row(page, 'alpha').waitFor();
    await page.clock.fastForward(1_000);

    // then
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    expect([
      new URL(page.url()).search,
      await page.getByRole('searchbox', { name: 'Search' }).inputValue(),
    ]).to.deep.equal(['', '']);
    await window.close();
  });

  it('should be operable by keyboard', async () => {
    const window = await open('/runs?workflowId=simple');
    const { page } = window;
    await row(page, 'gamma').waitFor();
    // when
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Shift+X');
    // then
    await page.getByRole('status').filter({ hasText: '3 runs selected' }).waitFor();
    expect(await row(page, 'beta').getAttribute('aria-selected')).to.equal('true');
    await expectAccessible(page);
    // when
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    // then
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
    await page.goBack();
    await row(page, 'gamma').waitFor();
    await page.keyboard.press('n');
    await page.getByRole('heading', { name: 'Start a run' }).waitFor();
    await window.close();
  });

  it('should show changes live, but not move rows while the pointer or the focus is on a row', async () => {
    const window = await open('/runs?workflowId=simple');
    const { page } = window;
    await row(page, 'gamma').waitFor();
    await page.locator('[data-live="live"]').waitFor();
    const first = page.locator('[data-index="0"]');
    // given: neither the pointer nor the focus is on a row
    await operator.startRun({ body: { workflowId: 'simple', businessKey: 'zeta' } });
    await first.filter({ hasText: 'zeta' }).waitFor();
    // when: the pointer is on a row
    await row(page, 'zeta').hover();
    await operator.startRun({ body: { workflowId: 'simple', businessKey: 'eta' } });
    await page.getByRole('button', { name: 'Show 1 new run' }).waitFor();
    expect(await first.textContent()).to.contain('zeta');
    // then: the displayed rows are still updated
    await countersign.jobs.complete('work');
    await row(page, 'zeta').getByText('Approval: Approve it').waitFor();
    // when: the pointer leaves the rows
    await page.getByRole('heading', { name: 'Runs' }).hover();
    await first.filter({ hasText: /^(?!.*zeta).*eta/ }).waitFor();
    // when: the keyboard focus is on a row
    await page.keyboard.press('j');
    await operator.startRun({ body: { workflowId: 'simple', businessKey: 'theta' } });
    await page.getByRole('button', { name: 'Show 1 new run' }).click();
    await first.filter({ hasText: 'theta' }).waitFor();
    await countersign.jobs.complete('work');
    await countersign.jobs.complete('work');
    await window.close();
  });

  it('should offer viewers no commands', async () => {
    const window = await open('/runs', 'viewer');
    const { page } = window;
    await row(page, 'alpha').waitFor();
    await expectCount(page.getByRole('checkbox'), 0);
    await page.keyboard.press('j');
    await page.keyboard.press('c');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    expect(await page.getByText('Cancel selected runs').count()).to.equal(0);
    await expectCount(page.getByRole('dialog'), 1);
    await window.close();
  });

  it('should cancel several runs after showing the plan and requesting a reason, and report the result of each', async () => {
    const window = await open('/runs?q=bulk');
    const { page } = window;
    for (const n of [1, 2]) await operator.startRun({ body: { workflowId: 'simple', businessKey: `bulk-${n}` } });
    await countersign.jobs.complete('work');
    await countersign.jobs.complete('work');
    await row(page, 'bulk-1').getByText('Approval: Approve it').waitFor();
    await row(page, 'bulk-2').getByText('Approval: Approve it').waitFor();
    const [cancelledRun] = (await operator.listRuns({ q: 'bulk-1' })).items;
    // when
    await page.getByRole('checkbox', { name: 'Select simple bulk-1' }).click();
    await page.getByRole('checkbox', { name: 'Select simple bulk-2' }).click();
    await page.getByRole('button', { name: 'Cancel…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel runs' });
    await dialog.getByText('2 runs will be cancelled.').waitFor();
    await dialog.getByText('Also cancelled: 2 approvals.').waitFor();
    await expectAccessible(page);
    expect(await dialog.getByRole('button', { name: 'Cancel 2 runs' }).isDisabled()).to.equal(true);
    // another user cancelled one of the runs first
    await operator.cancelRun({ runId: cancelledRun?.runId ?? '', body: { reason: 'first' } });
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('wrong branch');
    await dialog.getByRole('button', { name: 'Cancel 2 runs' }).click();
    // then
    await dialog.getByText('1 run cancelled.').waitFor();
    await dialog.getByRole('link', { name: cancelledRun?.runId ?? '' }).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await row(page, 'bulk-2').getByText('Cancelled').waitFor();
    await window.close();
  });

  it('should show the failed runs in the view "Needs attention", but no runs that people cancelled', async () => {
    // given
    const { runId } = await operator.startRun({ body: { workflowId: 'simple', businessKey: 'withdrawn' } });
    await operator.cancelRun({ runId, body: { reason: 'no longer needed' } });
    const window = await open('/runs?status=failed');
    const { page } = window;
    await row(page, 'withdrawn').getByText('Cancelled').waitFor();

    // when
    await page.getByRole('button', { name: 'Unsaved view' }).click();
    await page.getByRole('menuitem', { name: 'Needs attention' }).click();

    // then
    await row(page, 'withdrawn').waitFor({ state: 'detached' });
    await row(page, 'delta').waitFor();
    await row(page, 'epsilon').waitFor();
    expect(new URL(page.url()).search).to.equal('?needsAttention=true');
    await page.getByRole('button', { name: 'Filters' }).click();
    const needsAttention = page.getByRole('switch', { name: 'Needs attention' });
    expect(await needsAttention.isChecked()).to.equal(true);
    await expectAccessible(page);

    // when
    await needsAttention.click();

    // then
    await row(page, 'withdrawn').waitFor();
    expect(new URL(page.url()).search).to.equal('');
    await window.close();
  });

  it('should recover all runs that match a filter, and list the runs that cannot be recovered', async () => {
    const window = await open('/runs');
    const { page } = window;
    await row(page, 'delta').waitFor();
    await page.getByRole('checkbox', { name: 'Select breaks delta' }).click();
    await page.getByRole('button', { name: 'Select all matching runs' }).click();
    await page.getByRole('button', { name: 'Recover…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Recover runs' });
    await dialog.getByText('2 runs will be recovered.').waitFor();
    await dialog.getByText('2 failed steps will be retried.').waitFor();
    await dialog.getByText('no failed step to recover').waitFor();
    await dialog.getByRole('button', { name: 'Recover 2 runs' }).click();
    await dialog.getByText('2 runs recovered.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await row(page, 'delta').getByText('Active').waitFor();
    for (let n = 0; n < 2; n += 1) await countersign.jobs.complete('failing');
    await row(page, 'delta').getByText('Completed').waitFor();
    await window.close();
  });
});
