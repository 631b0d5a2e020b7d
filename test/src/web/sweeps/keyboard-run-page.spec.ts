import type { RunDetail } from '@countersign/contract';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { Keyboard } from '../keyboard.spec.support.js';
import { PartsHost } from '../run-parts.spec.support.js';
import { RunMaker } from '../runs.spec.support.js';
import { expectCount, hasBrowser, openWindow, type Window } from '../web.spec.support.js';

(hasBrowser() ? describe : describe.skip)('web: the run page by keyboard only', function () {
  this.timeout(60_000);
  let host: PartsHost;
  let runs: RunMaker;
  let run: RunDetail;
  let window: Window;
  let page: Page;
  let keys: Keyboard;

  before(async () => {
    host = await PartsHost.start();
    runs = await RunMaker.deployTo(host.countersign);
    run = await host.startReviewedRun();
  });

  after(() => host?.close());

  afterEach(() => window.close());

  async function open({ runId }: { readonly runId: string }, query = ''): Promise<void> {
    window = await openWindow(host.browser, {
      url: host.countersign.url,
      token: await host.countersign.token('operator', { subject: 'otto' }),
    });
    ({ page } = window);
    keys = new Keyboard(page);
    await page.goto(`${host.countersign.url}/runs/${runId}${query}`);
    await page.getByRole('tab', { name: 'Overview' }).waitFor();
  }

  const dialog = (name: string) => page.getByRole('dialog', { name });
  const tabPanel = (name: string) => page.getByRole('tabpanel', { name });

  it('should move through the steps, open a step, and return the focus to the tree', async () => {
    // given
    await open(run);
    const tree = page.getByRole('tree', { name: 'Steps' });
    const expectSelectedItem = (name: RegExp) => page.getByRole('treeitem', { name, selected: true }).waitFor();

    // when
    await keys.tabTo('tree', 'Steps');
    await keys.press('End');
    await expectSelectedItem(/^Publish the report/);
    await keys.press('ArrowUp');

    // then
    await expectSelectedItem(/^Research the ticket/);
    await page.locator('.djs-element.cs-selected[data-element-id="work"]').waitFor();
    await keys.expectFocus(tree);

    // when
    await keys.press('Enter');
    const step = dialog('Step Research the ticket');
    await keys.expectFocus(step);
    await keys.activate('button', 'look Called', { within: step });
    await step.getByRole('tree', { name: 'Arguments' }).waitFor();
    await keys.expectFocusWithin(step);
    await keys.press('Escape');

    // then
    await step.waitFor({ state: 'detached' });
    await keys.expectFocus(tree);
    await keys.press('ArrowUp');
    await expectSelectedItem(/^Ticket in/);

    // when: the user filters the steps by text, and then by status
    await keys.fill('textbox', 'Find a step', 'publish', { isBackward: true });
    await page.getByRole('treeitem', { name: /^Ticket in/ }).waitFor({ state: 'detached' });
    await keys.press('Control+a', 'Backspace');
    await page.getByRole('treeitem', { name: /^Ticket in/ }).waitFor();
    await keys.tabTo('radio', 'All');
    await keys.press('ArrowRight', 'ArrowRight');

    // then
    await page.getByRole('treeitem', { name: /^Ticket in/ }).waitFor({ state: 'detached' });
    await page.getByRole('treeitem').nth(1).waitFor({ state: 'detached' });
    await expectCount(page.getByRole('treeitem'), 1);
    await keys.expectFocusKept();
  });

  it('should visit every tab of a run', async () => {
    // given
    await open(run);
    const goToNextTab = async (tab: string): Promise<void> => {
      await keys.press('ArrowRight');
      await keys.expectFocus(page.getByRole('tab', { name: tab }));
      await tabPanel(tab).waitFor();
    };

    // when
    await keys.tabTo('tab', 'Overview');
    await goToNextTab('Approvals');
    await keys.tabTo('link', 'report.md, version 1');
    await keys.expectFocusWithin(tabPanel('Approvals'));
    await keys.press('Enter');

    // then: the link led to another tab
    await tabPanel('Artifacts')
      .getByRole('region', { name: 'report.md' })
      .getByRole('heading', { name: 'Findings' })
      .waitFor();
    await keys.expectFocusKept();

    // when
    await keys.tabTo('tab', 'Artifacts', { isBackward: true });
    await keys.press('ArrowLeft');
    await tabPanel('Conversation').getByText('Whose is it?').waitFor();
    await goToNextTab('Artifacts');
    await keys.tabTo('row', 'report.md 1');
    await keys.press('Enter');
    await tabPanel('Artifacts').getByRole('region', { name: 'report.md' }).waitFor();
    const download = page.waitForEvent('download');
    await keys.activate('button', 'Download', { within: tabPanel('Artifacts') });
    expect((await download).suggestedFilename()).to.equal('report.md');
    await keys.tabTo('tab', 'Artifacts', { isBackward: true });
    await goToNextTab('Variables');
    const variables = tabPanel('Variables').getByRole('tree', { name: 'Variables' });
    await keys.tabTo('treeitem', /members?$/, { within: variables });
    await keys.press('ArrowDown');
    await keys.expectFocus(variables.getByRole('treeitem', { name: /^ticket/ }));
    await keys.tabTo('tab', 'Variables', { isBackward: true });
    await goToNextTab('Events');
    await keys.tabTo('option', /“Ticket in” started|The run was started/);
    await keys.press('Home', 'ArrowDown', 'ArrowDown', 'Enter');
    const event = page.getByRole('region', { name: 'Event 3' });
    await event.getByText('“Research the ticket” started.').waitFor();
    await keys.activate('button', 'Open step', { within: event });
    await keys.expectFocus(dialog('Step Research the ticket'));
    await keys.press('Escape');
    await keys.expectFocus(event.getByRole('button', { name: 'Open step' }));
    await keys.tabTo('tab', 'Events', { isBackward: true });
    await goToNextTab('Evidence');
    await tabPanel('Evidence').getByText('Complete and unchanged').waitFor();
    await keys.activate('button', 'Check again', { within: tabPanel('Evidence') });
    await tabPanel('Evidence').getByText('Complete and unchanged').waitFor();
    await keys.tabTo('button', 'Copy head hash');
    await keys.tabTo('tab', 'Evidence', { isBackward: true });
    await goToNextTab('Child runs');
    await tabPanel('Child runs').getByText('No child runs').waitFor();
    await goToNextTab('Overview');
  });

  it('should step through the events of a run, and return to the current state', async () => {
    // given
    await open(run);
    const waitForEventInUrl = (at: number) => page.waitForURL((url) => url.searchParams.get('at') === String(at));

    // when
    await keys.activate('button', 'Step through events');
    const slider = page.getByRole('slider', { name: 'Event of the run' });
    await page.getByText(/^Event (\d{2,}) of \1$/).waitFor();
    await keys.expectFocus(slider);
    await keys.press('Home');

    // then
    await page.getByText('The run was started by vera with version 1.').waitFor();
    await waitForEventInUrl(1);
    await page.locator('[data-element-id="work"].cs-done').waitFor({ state: 'detached' });

    // when
    await keys.press('ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft');

    // then
    await waitForEventInUrl(3);
    await page.locator('[data-element-id="work"].cs-active').waitFor();
    await keys.expectFocus(slider);

    // when: the user goes to the last event with the button, which is not available there
    await keys.press('End', 'ArrowLeft');
    await keys.activate('button', 'Next event', { isBackward: true });
    await page.getByText(/^Event (\d{2,}) of \1$/).waitFor();
    await keys.expectFocusWithin(page.getByRole('region', { name: 'Time travel' }));

    // when
    await keys.activate('button', 'Back to now');

    // then
    await page.locator('[data-element-id="work"].cs-done').waitFor();
    await page.waitForURL(({ searchParams }) => !searchParams.has('at'));
    await keys.expectFocus(page.getByRole('button', { name: 'Step through events' }));
  });

  it('should recover a failed step, and cancel the run, each after showing the plan', async () => {
    // given
    const { runId } = await runs.startFailedRun();
    await open({ runId });
    const recoverDialog = dialog('Recover run');
    await page.getByText('“Charge the card” failed: The card was declined.').waitFor();

    // when: the user cancels the recovery
    await keys.activate('button', 'Recover run…');
    await recoverDialog.getByRole('heading', { name: 'Retried' }).waitFor();
    await keys.expectFocusWithin(recoverDialog);
    await keys.press('Escape');
    await recoverDialog.waitFor({ state: 'detached' });
    await keys.expectFocus(page.getByRole('button', { name: 'Recover run…' }));

    // when: the user corrects the selection and recovers the run
    await keys.press('Enter');
    await recoverDialog.getByRole('heading', { name: 'Retried' }).waitFor();
    await keys.tabTo('checkbox', 'Charge the card');
    await keys.press('Space');
    await recoverDialog.getByText('Select at least one step.').waitFor();
    await keys.press('Space');
    await recoverDialog.getByText('Select at least one step.').waitFor({ state: 'detached' });
    await keys.expectFocusKept();
    await keys.fill('textbox', 'Variables to set first', '{"amount": 7}');
    await keys.fill('textbox', 'Comment', 'The customer has a new card.');
    await keys.activate('button', 'Recover run', { within: recoverDialog });
    await recoverDialog.waitFor({ state: 'detached' });

    // then
    await page.getByText(/“Charge the card” has been in progress for/).waitFor();
    await keys.expectFocusKept();
    expect((await runs.viewer.getRun({ runId })).variables).to.deep.include({ amount: 7 });

    // when
    const cancelDialog = dialog('Cancel run');
    await keys.activate('button', 'Cancel run…', { isBackward: true });
    await keys.expectFocus(cancelDialog.getByRole('textbox', { name: 'Reason' }));
    await cancelDialog.getByText('Charge the card').waitFor();
    await keys.type('Wrong card');
    await keys.activate('button', 'Cancel run', { within: cancelDialog });

    // then
    await page.getByText('Cancelled by otto: “Wrong card”.').waitFor();
    await cancelDialog.waitFor({ state: 'detached' });
    await keys.expectFocusWithin(page.getByRole('main'));
    expect((await runs.viewer.getRun({ runId })).outcome).to.equal('cancelled');
  });

  it('should answer questions of an agent with a form and with an option', async () => {
    // given
    const askingRun = await host.startAskingRun();
    await open(askingRun);

    // when
    await keys.activate('button', 'Answer');
    await tabPanel('Conversation').getByText('Whose is it?').waitFor();
    await keys.expectFocusKept();
    await keys.tabTo('combobox', 'Team');
    await keys.press('ArrowDown');
    await page.getByRole('option', { name: 'printing' }).waitFor();
    await keys.press('ArrowDown', 'Enter');
    await keys.activate('button', 'Answer', { within: tabPanel('Conversation') });

    // then
    await tabPanel('Conversation').getByRole('listitem').filter({ hasText: 'otto' }).getByText('printing').waitFor();
    await keys.expectFocusWithin(page.getByRole('main'));
    await host.waitForRun(askingRun.runId, ({ pendingApprovals }) => pendingApprovals === 1);

    // given
    await window.close();
    const choosingRun = await host.startAskingRun('chooser');
    await open(choosingRun, '?tab=conversation');

    // when
    await keys.tabTo('radio', 'left');
    await keys.press('ArrowDown');
    await keys.activate('button', 'Answer', { within: tabPanel('Conversation') });

    // then
    await tabPanel('Conversation')
      .getByRole('listitem')
      .filter({ hasText: 'otto' })
      .getByText(/^right/)
      .waitFor();
    await keys.expectFocusWithin(page.getByRole('main'));
  });

  it('should upload files, compare their versions, and download the evidence pack', async () => {
    // given
    await open(run, '?tab=artifacts');
    const artifacts = tabPanel('Artifacts');
    const notesPanel = artifacts.getByRole('region', { name: 'notes.txt' });
    let fileContent = '';
    page.on(
      'filechooser',
      (chooser) =>
        void chooser.setFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from(fileContent) }),
    );

    // when
    fileContent = 'One\nTwo\n';
    await keys.activate('button', 'Upload files', { within: artifacts });
    await artifacts.getByRole('status').getByText('notes.txt was stored as version 1.').waitFor();
    await keys.expectFocus(artifacts.getByRole('button', { name: 'Upload files' }));
    fileContent = 'One\nThree\n';
    await keys.press('Enter');
    await artifacts.getByRole('status').getByText('notes.txt was stored as version 2.').waitFor();
    await keys.activate('button', 'Close artifact', { within: artifacts.getByRole('status') });
    await artifacts.getByRole('status').waitFor({ state: 'detached' });
    await keys.expectFocusWithin(artifacts);

    // when
    await keys.tabTo('row', /notes\.txt|report\.md/);
    await keys.press('Home', 'Enter');
    await notesPanel.getByText('Three').waitFor();
    await keys.activate('button', 'Compare with version 1', { within: notesPanel });

    // then
    const difference = notesPanel.getByRole('group', { name: 'Changes in notes.txt' });
    await difference.getByText('Two').waitFor();
    await difference.getByText('Three').waitFor();
    await keys.expectFocus(notesPanel.getByRole('button', { name: 'Show content' }));
    await keys.press('Enter');
    await difference.waitFor({ state: 'detached' });

    // when: the user selects the previous version
    await keys.tabTo('combobox', 'Version', { within: notesPanel, isBackward: true });
    await keys.press('ArrowDown');
    await notesPanel.getByText('Two').waitFor();
    await keys.expectFocusKept();
    await keys.activate('button', 'Close artifact', { within: notesPanel, isBackward: true });
    await notesPanel.waitFor({ state: 'detached' });
    await keys.expectFocusWithin(artifacts);

    // when
    const download = page.waitForEvent('download');
    await keys.activate('button', 'Download evidence', { isBackward: true });
    expect((await download).suggestedFilename()).to.contain(run.runId);
    await keys.expectFocus(page.getByRole('button', { name: 'Download evidence' }));
  });

  it('should show the events as a list and as JSON, and filter them by kind', async () => {
    // given
    await open(run, '?tab=events');
    const events = tabPanel('Events');
    await events.getByRole('listbox', { name: 'Events of the run' }).waitFor();

    // when
    await keys.tabTo('radio', 'Timeline');
    await keys.press('ArrowRight');
    await events.getByRole('grid', { name: 'Events of the run' }).waitFor();
    await keys.expectFocusWithin(events);
    await keys.tabTo('row', /step\.|run\.|artifact\.|approval\./, { within: events });
    await keys.press('Home', 'Enter');

    // then
    const event = page.getByRole('region', { name: 'Event 1', exact: true });
    await event.waitFor();
    await keys.expectFocusKept();
    await keys.activate('button', 'Close event', { within: event });
    await event.waitFor({ state: 'detached' });
    await keys.expectFocusWithin(events);

    // when
    await keys.tabTo('combobox', 'Event type', { isBackward: true });
    await keys.press('ArrowDown');
    await page.getByRole('option', { name: 'Approvals' }).waitFor();
    await keys.press('ArrowDown', 'ArrowDown', 'Enter');
    await page.waitForURL(/kind=approval/);
    await keys.expectFocusWithin(events);
    await keys.tabTo('radio', 'List', { isBackward: true });
    await keys.press('ArrowRight');

    // then
    const tree = events.getByRole('tree', { name: 'Events of the run' });
    await tree.waitFor();
    const download = page.waitForEvent('download');
    await keys.activate('button', 'Download', { within: events });
    expect((await download).suggestedFilename()).to.equal(`${run.runId}-events.json`);
    await keys.tabTo('treeitem', /item/, { within: tree });
    await keys.press('ArrowDown', 'ArrowRight');
    await keys.expectFocusWithin(tree);
    await tree.getByRole('treeitem', { expanded: true }).nth(1).waitFor();
  });

  it('should move the run to another version after showing the plan', async () => {
    // given
    const { runId } = await runs.startRunWaitingForMessage();
    await runs.deployAgain('message');
    await open({ runId });
    const confirmation = dialog('Move run to version 2');

    // when: the user opens the message help, and cancels the migration
    await keys.activate('button', 'How to send it');
    await keys.expectFocusWithin(dialog('How to send order.paid'));
    await keys.press('Escape');
    await keys.expectFocus(page.getByRole('button', { name: 'How to send it' }));
    await keys.activate('button', 'Move to version 2…', { isBackward: true });
    await confirmation.getByText(/From version 1 to version 2/).waitFor();
    await keys.expectFocusWithin(confirmation);
    await keys.press('Escape');
    await confirmation.waitFor({ state: 'detached' });
    await keys.expectFocus(page.getByRole('button', { name: 'Move to version 2…' }));

    // when: the user confirms the migration
    await keys.press('Enter');
    await keys.activate('button', 'Move run', { within: confirmation });

    // then: no newer version is left to move to
    await page.getByText('(latest)', { exact: true }).waitFor();
    await confirmation.waitFor({ state: 'detached' });
    await keys.expectFocusWithin(page.getByRole('main'));
    expect((await runs.viewer.getRun({ runId })).workflowVersion).to.equal(2);
  });
});
