import type { Client } from '@countersign/contract';
import { createTestHost, processModel, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { Keyboard } from '../keyboard.spec.support.js';
import { RUN_JOBS, RunMaker } from '../runs.spec.support.js';
import {
  expectAccessible,
  expectCount,
  hasBrowser,
  launchBrowser,
  openWindow,
  type Window,
} from '../web.spec.support.js';

const SCHEMA = JSON.stringify({
  type: 'object',
  required: ['repository'],
  properties: { repository: { type: 'string', title: 'Repository' }, dryRun: { type: 'boolean', title: 'Dry run' } },
}).replaceAll('"', '&quot;');
const FORM_MODEL = processModel(
  'release',
  `<bpmn:extensionElements><zeebe:properties><zeebe:property name="inputSchema" value="${SCHEMA}" /></zeebe:properties></bpmn:extensionElements><bpmn:startEvent id="start" /><bpmn:endEvent id="end" />`,
  'start > end',
);

(hasBrowser() ? describe : describe.skip)('web: signing in and the list of runs by keyboard only', function () {
  this.timeout(60_000);
  let countersign: TestHost;
  let browser: Browser;
  let runs: RunMaker;
  let operator: Client;
  let window: Window;
  let page: Page;
  let keys: Keyboard;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ jobTypes: RUN_JOBS }), launchBrowser()]);
    runs = await RunMaker.deployTo(countersign);
    operator = await countersign.client('operator', 'otto');
    await countersign.deploy(FORM_MODEL);
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
  });

  afterEach(() => window.close());

  async function open(path: string, signedIn = true): Promise<void> {
    window = await openWindow(browser, {
      url: countersign.url,
      ...(signedIn ? { token: await countersign.token('operator', { subject: 'otto' }) } : {}),
    });
    ({ page } = window);
    keys = new Keyboard(page);
    await page.goto(`${countersign.url}${path}`);
  }

  const waitForHeading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const main = () => page.getByRole('main');
  const dialog = (name: string) => page.getByRole('dialog', { name });

  it('should sign in with a role, navigate, and sign out', async () => {
    // when
    await open('/runs', false);
    await keys.tabTo('radio', 'Approver');
    await keys.press('ArrowLeft');
    await keys.fill('textbox', 'Name', 'olga');
    await keys.press('Enter');

    // then
    await waitForHeading('Runs');
    await keys.expectFocusWithin(main());

    // when: the user skips the navigation
    await page.reload();
    await waitForHeading('Runs');
    await keys.press('Tab');
    await keys.expectFocus(page.getByRole('link', { name: 'Skip to content' }));
    await keys.press('Enter');
    await keys.expectFocus(main());
    await keys.press('Tab');
    await keys.expectFocus(page.getByRole('link', { name: 'Start a run' }));

    // when: the user opens the shortcuts
    await keys.press('?');
    await keys.expectFocusWithin(dialog('Keyboard shortcuts'));
    await keys.press('g', 'a', 'n');
    await keys.press('Escape');
    await dialog('Keyboard shortcuts').waitFor({ state: 'detached' });
    await keys.expectFocus(page.getByRole('link', { name: 'Start a run' }));
    await waitForHeading('Runs');

    // when: the user runs commands by name and by shortcut
    await keys.press('Control+k');
    await keys.expectFocus(page.getByRole('combobox', { name: 'Find a command' }));
    await keys.type('workfl');
    await keys.press('Enter');
    await waitForHeading('Workflows');
    await keys.expectFocusKept();
    await keys.press('g', 'q');
    await waitForHeading('Questions');
    await keys.expectFocusKept();

    // when: the user changes the appearance
    await keys.activate('button', 'olga · Operator');
    await keys.expectFocusWithin(page.getByRole('menu'));
    await keys.press('ArrowDown');
    await keys.expectFocus(page.getByRole('menuitemradio', { name: 'Dark' }));
    await keys.press('Enter');
    await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
    await expectAccessible(page);
    await keys.press('Escape');
    await keys.expectFocus(page.getByRole('button', { name: 'olga · Operator' }));

    // when: the user signs out
    await keys.press('Enter');
    await keys.expectFocusWithin(page.getByRole('menu'));
    await keys.press('End');
    await keys.expectFocus(page.getByRole('menuitem', { name: 'Sign out' }));
    await keys.press('Enter');
    await page.getByRole('heading', { name: 'Sign in to Countersign' }).waitFor();
    await keys.expectFocusKept();
  });

  it('should start a run with the form after correcting an input error', async () => {
    // when
    await open('/runs');
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    await keys.press('n');
    await waitForHeading('Start a run');
    await keys.tabTo('combobox', 'Workflow');
    await keys.replaceText('relea');
    await page.getByRole('option', { name: 'release' }).waitFor();
    await keys.press('ArrowDown', 'Enter');
    await keys.fill('textbox', 'Business key', 'by-keys');
    await keys.activate('button', 'Start run');

    // then
    await page.getByRole('alert').getByText('1 problem to correct').waitFor();
    await keys.expectFocusWithin(page.getByRole('alert'));
    await keys.activate('button', /^repository/);
    await keys.expectFocus(page.getByRole('textbox', { name: 'Repository' }));

    // when
    await keys.type('/srv/code');
    await keys.tabTo('checkbox', 'Dry run');
    await keys.press('Space');
    await keys.activate('button', 'Start run');

    // then
    await page.getByRole('heading', { level: 1, name: 'release Completed' }).waitFor();
    await keys.expectFocusKept();
    expect((await operator.getRun({ runId: page.url().split('/').at(-1) ?? '' })).inputs).to.deep.equal({
      repository: '/srv/code',
      dryRun: true,
    });
  });

  it('should filter the list, save the filter as a view, and cancel selected runs after showing the plan', async () => {
    // given
    for (const order of ['one', 'two', 'three']) {
      await runs.start('message', { order }, `bulk-${order}`);
    }
    await open('/runs');
    await page.getByRole('row', { name: /bulk-three/ }).waitFor();

    // when
    await keys.press('/');
    await keys.type('bulk');
    await page.waitForURL(/q=bulk/);
    await keys.activate('button', 'Filters');
    await keys.expectFocusWithin(dialog('Filters'));
    await keys.tabTo('combobox', 'Waiting for');
    await keys.press('ArrowDown');
    await page.getByRole('option').first().waitFor();
    await keys.type('e');
    await keys.press('ArrowDown', 'Enter');
    await page.waitForURL(/waitingFor=/);
    await keys.press('Escape');
    await dialog('Filters').waitFor({ state: 'hidden' });
    await keys.expectFocus(page.getByRole('button', { name: 'Filters' }));
    await keys.activate('button', /^Remove the filter Waiting for/);
    await page.waitForURL((url) => !url.search.includes('waitingFor'));
    await keys.expectFocusKept();

    // when: the user saves the filters as a view
    await keys.activate('button', 'Unsaved view', { isBackward: true });
    await keys.expectFocus(page.getByRole('menuitem', { name: 'All', exact: true }));
    await expectAccessible(page);
    await keys.press('End', 'Enter');
    await keys.expectFocus(page.getByRole('textbox', { name: 'Name' }));
    await keys.type('Bulks');
    await keys.press('Enter');
    await keys.expectFocus(page.getByRole('button', { name: 'View: Bulks' }));

    // when: the user selects runs and cancels them
    await keys.press('j', 'x', 'j', 'x');
    await page.getByRole('status').filter({ hasText: '2 runs selected' }).waitFor();
    await keys.activate('button', 'Cancel…');
    await keys.expectFocus(dialog('Cancel runs').getByRole('textbox', { name: 'Reason' }));
    await dialog('Cancel runs').getByText('2 runs will be cancelled.').waitFor();
    await keys.type('No longer needed');
    await keys.activate('button', 'Cancel 2 runs');
    await dialog('Cancel runs').getByText('2 runs cancelled.').waitFor();
    await keys.expectFocusWithin(dialog('Cancel runs'));
    await keys.activate('button', 'Close');
    await dialog('Cancel runs').waitFor({ state: 'detached' });
    await keys.expectFocusWithin(main());

    // then
    expect(
      (await operator.listRuns({ q: 'bulk' })).items.filter(({ outcome }) => outcome === 'cancelled'),
    ).to.have.length(2);

    // when: the user opens the plan with the shortcut of a row, and closes it
    await keys.press('j', 'k');
    await keys.press('c');
    await dialog('Cancel runs').waitFor();
    await keys.press('Escape');
    await dialog('Cancel runs').waitFor({ state: 'detached' });
    await keys.expectFocusWithin(page.getByRole('grid', { name: 'Runs' }));
  });

  it('should select, rename and delete a saved view', async () => {
    // given
    await runs.start('timer', {}, 'cool-down');
    await open('/runs?q=cool');
    const view = (name: string) => page.getByRole('button', { name, exact: true });
    const item = (name: string) => page.getByRole('menuitem', { name, exact: true });
    await keys.activate('button', 'Unsaved view');
    await keys.expectFocus(item('All'));
    await keys.press('End', 'Enter');
    await keys.expectFocus(page.getByRole('textbox', { name: 'Name' }));
    await keys.type('Cooling');
    await keys.press('Enter');
    await keys.expectFocus(view('View: Cooling'));

    // when: the user selects a built-in view, and their own view again
    await keys.press('Enter');
    await keys.expectFocus(item('All'));
    await keys.press('ArrowDown', 'Enter');
    await page.waitForURL(/\?needsAttention=true$/);
    await item('All').waitFor({ state: 'detached' });
    await keys.expectFocus(page.getByRole('button', { name: /^View: / }));
    await keys.press('Enter');
    await keys.expectFocus(item('All'));
    for (let keyPresses = 0; keyPresses < 5; keyPresses += 1) await keys.press('ArrowDown');
    await keys.expectFocus(item('Cooling'));
    await keys.press('Enter');

    // then
    await page.waitForURL(/\?q=cool$/);
    await page.getByRole('row', { name: /cool-down/ }).waitFor();
    await keys.expectFocus(view('View: Cooling'));

    // when: the user renames the view
    await keys.press('Enter');
    await keys.expectFocus(item('All'));
    await keys.press('End', 'ArrowUp');
    await keys.expectFocus(item('Rename…'));
    await keys.press('Enter');
    await keys.expectFocus(page.getByRole('textbox', { name: 'Name' }));
    await keys.replaceText('Cold');
    await keys.press('Enter');
    await keys.expectFocus(view('View: Cold'));

    // when: the user deletes the view
    await keys.press('Enter');
    await keys.expectFocus(item('All'));
    await keys.press('End');
    await keys.expectFocus(item('Delete view'));
    await keys.press('Enter');

    // then
    await keys.expectFocus(view('Unsaved view'));
    await keys.press('Enter');
    await keys.expectFocus(item('All'));
    await expectCount(item('Cold'), 0);
    await keys.press('Escape');
    await keys.expectFocus(view('Unsaved view'));
  });

  it('should recover all runs that match a filter after showing the plan', async () => {
    // given
    for (const message of ['No paper.', 'No ink.']) await runs.startFailedRun(message);
    await open('/runs?status=failed');
    await page.getByRole('row', { name: /No ink/ }).waitFor();
    const recoverDialog = dialog('Recover runs');

    // when: the user cancels the recovery
    await keys.press('j', 'x');
    await page.getByRole('status').filter({ hasText: '1 run selected' }).waitFor();
    await keys.activate('button', 'Select all matching runs');
    await keys.expectFocusWithin(main());
    await keys.activate('button', 'Recover…');
    await recoverDialog.getByText('2 runs will be recovered.').waitFor();
    await keys.expectFocusWithin(recoverDialog);
    await keys.press('Escape');
    await recoverDialog.waitFor({ state: 'detached' });
    await keys.expectFocus(page.getByRole('button', { name: 'Recover…' }));

    // when: the user confirms the recovery
    await keys.press('Enter');
    await keys.activate('button', 'Recover 2 runs', { within: recoverDialog });
    await recoverDialog.getByText('2 runs recovered.').waitFor();
    await keys.expectFocusWithin(recoverDialog);
    await keys.activate('button', 'Close', { within: recoverDialog });

    // then: the list no longer contains the recovered runs
    await recoverDialog.waitFor({ state: 'detached' });
    for (const message of [/No paper/, /No ink/])
      await page.getByRole('row', { name: message }).waitFor({ state: 'detached' });
    await keys.expectFocusWithin(main());
    for (let n = 0; n < 2; n += 1) await countersign.jobs.complete('work');
  });
});
