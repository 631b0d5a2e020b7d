import type { Role } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import type { Browser, Route } from 'playwright-core';
import { findWatermarkErrors } from './page-checks.spec.support.js';
import { findFreePort } from '../free-port.spec.support.js';
import { RUN_JOBS, RunMaker } from './runs.spec.support.js';
import {
  expectAccessible,
  expectCount,
  hasBrowser,
  launchBrowser,
  waitUntilLive,
  openWindow,
  type Window,
  type WindowOptions,
} from './web.spec.support.js';

(hasBrowser() ? describe : describe.skip)('web: the run page', () => {
  let countersign: TestHost;
  let browser: Browser;
  let runs: RunMaker;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ jobTypes: RUN_JOBS }), launchBrowser()]);
    runs = await RunMaker.deployTo(countersign);
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
  });

  /** Opens a run; by default as a viewer. */
  async function open(
    runId: string,
    role: Role = 'viewer',
    windowOptions: Partial<WindowOptions> & { query?: string } = {},
  ): Promise<Window> {
    const window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token(role),
      ...windowOptions,
    });
    await window.page.goto(`${countersign.url}/runs/${runId}${windowOptions.query ?? ''}`);
    await window.page.getByRole('tree', { name: 'Steps' }).waitFor();
    return window;
  }

  it('should show the live status of the run on the diagram, in the tree and in a sentence', async () => {
    // given
    const { runId } = await runs.start('approval', {}, 'release-7');
    const window = await open(runId);
    const { page } = window;
    await page.getByRole('heading', { level: 1, name: 'web-approval Active' }).waitFor();
    await page.getByText('release-7').waitFor();
    await page.locator('.djs-element.cs-active[data-element-id="work"]').waitFor();
    await page.getByText(/“Draft the release” has been in progress for/).waitFor();
    await page.locator('[data-live="live"]').waitFor();

    // when
    await countersign.jobs.complete('work');

    // then
    await page.getByRole('heading', { level: 1, name: 'web-approval Waiting' }).waitFor();
    await page.locator('.djs-element.cs-waiting[data-element-id="ok"]').waitFor();
    await expectCount(page.locator('.djs-element.cs-done'), 2);
    await expectCount(page.locator('.djs-connection.cs-taken'), 2);
    await page.getByRole('treeitem', { name: /^Approve the release Waiting/ }).waitFor();
    await page
      .getByText('Waiting for the release-managers group to decide on “Approve the release – release-7”.')
      .waitFor();
    await page.getByRole('link', { name: 'Open approval' }).click();
    await page.waitForURL(/\/approvals\//);
    await window.close();
  });

  it('should not undo a navigation while the next page is still loading', async () => {
    // given a page that is still loading
    const { runId } = await runs.start('timer');
    const window = await open(runId);
    const { page } = window;
    const heldRoute = new Promise<Route>((resolve) => {
      void page.route(/\/policies-page-[^/]+\.js$/, (route) => resolve(route));
    });
    await page.getByRole('link', { name: 'Policies' }).click();
    const route = await heldRoute;

    // when a step is selected during loading; the address is updated shortly afterwards
    await page.getByRole('treeitem', { name: /^Cool down/ }).click();
    // eslint-disable-next-line no-restricted-syntax -- a page timer that runs after the address update
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
    await route.continue();

    // then
    await page.waitForURL((url) => url.pathname === '/policies');
    await page.getByRole('heading', { level: 1, name: 'Policies' }).waitFor();
    await window.close();
  });

  it('should reload data that may have changed before the change feed started, but not immutable data', async () => {
    // given
    const {
      run: { runId },
    } = await runs.startRunWaitingForApproval();
    const window = await openWindow(browser, { url: countersign.url, token: await countersign.token('viewer') });
    const { page } = window;
    const requestedPaths: string[] = [];
    page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));
    const countRequests = (path: string): number => requestedPaths.filter((each) => each === path).length;
    let releaseRequests = (): void => undefined;
    const requestsReleased = new Promise<void>((resolve) => (releaseRequests = resolve));
    await page.route('**/api/events', (route) => requestsReleased.then(() => route.continue()));
    await page.goto(`${countersign.url}/runs/${runId}`);
    await page.locator('.djs-element.cs-waiting[data-element-id="ok"]').waitFor();
    expect([countRequests(`/api/runs/${runId}`), countRequests('/api/workflows/web-approval')]).to.deep.equal([1, 1]);

    // when
    const again = page.waitForResponse((response) => new URL(response.url()).pathname === `/api/runs/${runId}`);
    releaseRequests();
    await again;

    // then
    await page.locator('[data-live="live"]').waitFor();
    expect([countRequests(`/api/runs/${runId}`), countRequests('/api/workflows/web-approval')]).to.deep.equal([2, 1]);
    await window.close();
  });

  it('should be operable by keyboard, with the same selection in tree and diagram', async () => {
    // given
    const { runId } = await runs.startRunWaitingForCall();
    const window = await open(runId);
    const { page } = window;
    const selectedElements = page.locator('.djs-element.cs-selected');

    // when
    await page.getByRole('tree').focus();
    await page.keyboard.press('End');
    // then
    await page.locator('.djs-element.cs-selected[data-element-id="call"]').waitFor();
    await page.waitForURL(/element=call/);
    // when
    await page.keyboard.press('o');
    // then
    await page.locator('.djs-element.cs-selected[data-element-id="start"]').waitFor();
    expect(await page.getByRole('treeitem', { name: /^Order in Completed/ }).getAttribute('aria-selected')).to.equal(
      'true',
    );
    // when
    await page.locator('[data-element-id="call"] .djs-hit').first().click();
    // then
    await page.getByRole('treeitem', { name: /^Release it Active/, selected: true }).waitFor();
    await expectCount(selectedElements, 1);
    // when
    await page.keyboard.press('+');
    await page.getByRole('button', { name: 'Zoom out' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Show all of the diagram' }).focus();
    await page.keyboard.press('Enter');
    // then the child run is one key press away
    await page.getByText(/Waiting for the child run of “Release it”, which is waiting for/).waitFor();
    const childRunPath = await page
      .locator('.djs-overlays[data-container-id="call"]')
      .getByRole('link', { name: 'Open child run' })
      .getAttribute('href');
    expect(childRunPath).to.match(/\/runs\/[0-9a-f-]{36}$/);
    const row = page.getByRole('treeitem', { name: /^Release it Active.*Open child run$/ });
    expect(await row.getByRole('link').getAttribute('href')).to.equal(childRunPath);
    await page.getByRole('region', { name: 'Current state' }).getByRole('link', { name: 'Open child run' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'web-approval Waiting' }).waitFor();
    await page.getByRole('link', { name: 'the parent run' }).click();
    await page.locator('.djs-overlays[data-container-id="call"]').getByRole('link', { name: 'Open child run' }).click();
    await page.getByRole('heading', { level: 1, name: 'web-approval Waiting' }).waitFor();
    expect(page.url()).to.equal(new URL(childRunPath ?? '', page.url()).href);
    await window.close();
  });

  it('should group loop instances, and filter steps by text and status', async () => {
    // given
    const { runId } = await runs.start('multiInstance', { items: [1, 2, 3] });
    await countersign.jobs.complete('ship');
    await runs.waitForRun(runId, ({ steps }) => steps.some(({ elementId }) => elementId === 'each-end'));
    const window = await open(runId);
    const { page } = window;

    // then
    await page.locator('.cs-diagram-badge', { hasText: '1 of 3' }).waitFor();
    await expectCount(page.getByRole('treeitem', { level: 2 }), 3);
    await page.getByRole('tree').focus();
    for (const key of ['Home', 'ArrowDown', 'ArrowLeft']) await page.keyboard.press(key);
    await expectCount(page.getByRole('treeitem'), 2);
    await page.keyboard.press('ArrowRight');
    await page.getByRole('textbox', { name: 'Find a step' }).fill('parcel');
    await page.getByRole('treeitem', { name: /^Ship the parcel Completed/ }).waitFor();
    await page.getByRole('treeitem', { name: /start/ }).first().waitFor({ state: 'detached' });
    await page.getByRole('radio', { name: 'Failed' }).focus();
    await page.keyboard.press('Space');
    await page.getByText('No matching steps.').waitFor();
    await window.close();
  });

  it('should recover a failed step with corrected variables after showing the plan', async () => {
    // given
    const { runId } = await runs.startFailedRun();
    const window = await open(runId, 'operator');
    const { page } = window;
    await page.getByText('“Charge the card” failed: The card was declined.').waitFor();

    // when
    await page.getByRole('button', { name: 'Recover run…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Recover run' });
    await dialog.getByRole('heading', { name: 'Retried' }).waitFor();
    await dialog.getByRole('textbox', { name: 'Variables to set first' }).fill('[1]');
    await dialog.getByText(/not a JSON object/).waitFor();
    expect(await dialog.getByRole('button', { name: 'Recover run' }).isDisabled()).to.equal(true);
    await dialog.getByRole('textbox', { name: 'Variables to set first' }).fill('{"amount": 7}');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Recover run' }).click();

    // then
    await page.getByText(/“Charge the card” has been in progress for/).waitFor();
    await page.getByRole('treeitem', { name: /^Charge the card attempt 2 Active/ }).waitFor();
    await countersign.jobs.complete('work');
    await page.getByText(/^Completed in/).waitFor();
    expect((await runs.viewer.getRun({ runId })).variables).to.deep.include({ amount: 7 });
    await window.close();
  });

  it('should cancel the run with a reason after showing the plan, and show who cancelled it', async () => {
    // given
    const {
      run: { runId },
    } = await runs.startRunWaitingForApproval();
    const window = await open(runId, 'operator');
    const { page } = window;

    // when
    await page.getByRole('button', { name: 'Cancel run…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel run' });
    await dialog.getByText('Approve the release (approval)').waitFor();
    expect(await dialog.getByRole('button', { name: 'Cancel run' }).isDisabled()).to.equal(true);
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Wrong branch');
    await dialog.getByRole('button', { name: 'Cancel run' }).click();

    // then
    await page.getByText('Cancelled by operator: “Wrong branch”.').waitFor();
    await expectCount(page.getByRole('button', { name: 'Cancel run…' }), 0);
    await window.close();
  });

  it('should move the run to the newest version, and show its version as the newest', async () => {
    // given
    const { runId } = await runs.startRunWaitingForMessage();
    await runs.deployAgain('message');
    const window = await open(runId, 'operator');
    const { page } = window;
    await page.getByText('(latest: 2)').waitFor();
    await page.getByRole('button', { name: 'How to send it' }).click();
    await page.getByRole('dialog', { name: 'How to send order.paid' }).getByText('"correlationKey": "A-17"').waitFor();
    await page.keyboard.press('Escape');

    // when
    await page.getByRole('button', { name: 'Move to version 2…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move run to version 2' });
    await dialog.getByText(/From version 1 to version 2/).waitFor();
    await dialog.getByRole('button', { name: 'Move run' }).click();

    // then
    await page.getByText('(latest)', { exact: true }).waitFor();
    expect((await runs.viewer.getRun({ runId })).workflowVersion).to.equal(2);
    await window.close();
  });

  it('should offer a viewer the evidence pack but no commands', async () => {
    // given
    const { runId } = await runs.startFailedRun();
    const window = await open(runId);
    const { page } = window;
    await page.getByText('“Charge the card” failed: The card was declined.').waitFor();

    // when
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download evidence' }).click(),
    ]);

    // then
    const pack = JSON.parse(await readFile(await download.path(), 'utf8')) as {
      readonly run: { readonly runId: string };
    };
    expect(pack.run.runId).to.equal(runId);
    await expectCount(page.getByRole('button', { name: /Recover|Cancel|Move/ }), 0);
    const status = await runs.viewer.recoverRun({ runId }).then(
      () => 'done',
      (error: { readonly status: number }) => error.status,
    );
    expect(status).to.equal(403);
    await window.close();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`should be accessible in ${colorScheme} mode`, async () => {
      const window = await open((await runs.startFailedRun()).runId, 'operator', { colorScheme });
      const { page } = window;
      await page.locator('.cs-diagram[data-ready="true"]').waitFor();
      await expectAccessible(page);
      for (const tab of ['Variables', 'Child runs']) {
        await page.getByRole('tab', { name: tab }).click();
        await page.getByRole('tabpanel', { name: tab }).waitFor();
        await expectAccessible(page);
      }
      await window.close();
    });
  }

  it('should show live, current data again after the server restarts', async () => {
    // given a page of a separate server
    const { runId } = await runs.start('approval');
    const Server = { Port: await findFreePort() };
    const first = await createTestHost({ shareDataWith: countersign, configuration: { Server } });
    const window = await openWindow(browser, { url: first.url, token: await first.token('viewer') });
    const { page } = window;
    await page.goto(`${first.url}/runs/${runId}`);
    await page.getByRole('heading', { level: 1, name: 'web-approval Active' }).waitFor();
    await page.locator('[data-live="live"]').waitFor();

    // when the server stops, and the run continues
    await first.close();
    await page.locator('[data-live="polling"]').waitFor();
    await countersign.jobs.complete('work');
    await runs.waitForApproval(runId);
    const again = await createTestHost({
      shareDataWith: countersign,
      configuration: { Server },
    });

    // then
    await waitUntilLive(page);
    await page.getByRole('heading', { level: 1, name: 'web-approval Waiting' }).waitFor();
    await window.close();
    await again.close();
  }).timeout(90_000);

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`should show the complete, uncovered bpmn.io watermark on the diagram (${colorScheme})`, async () => {
      // given
      const { runId } = await runs.startRunWaitingForCall();
      for (const viewport of [
        { width: 1280, height: 800 },
        { width: 1024, height: 640 },
        { width: 390, height: 844 },
      ]) {
        // when
        const window = await open(runId, 'viewer', { colorScheme, viewport });
        const { page } = window;
        await page.locator('.cs-diagram[data-ready="true"]').waitFor();
        // then
        expect(await findWatermarkErrors(page), JSON.stringify(viewport)).to.deep.equal([]);
        await page.goto(`${countersign.url}/runs/${runId}?at=2`);
        await page.getByText(/^Event 2 of/).waitFor();
        await page.locator('.cs-diagram[data-ready="true"]').waitFor();
        await page.locator('.cs-run-split[aria-busy="false"]').waitFor();
        expect(await findWatermarkErrors(page), `${JSON.stringify(viewport)} in the past`).to.deep.equal([]);
        await window.close();
      }
    });
  }

  it('should report an unknown run', async () => {
    const window = await openWindow(browser, { url: countersign.url, token: await countersign.token('viewer') });
    await window.page.goto(`${countersign.url}/runs/01890000-0000-7000-8000-000000000000`);
    await window.page.getByText('Run not found').waitFor();
    await window.close();
  });
});
