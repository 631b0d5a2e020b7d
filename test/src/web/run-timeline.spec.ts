import { createClient, type Client } from '@countersign/contract';
import { createTestHost, type HeldJob, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Locator, Page } from 'playwright-core';
import { TestClock } from '../conformance/test-clock.js';
import { RUN_JOBS, RunMaker } from './runs.spec.support.js';
import { expectCount, hasBrowser, launchBrowser, openWindow, type Window } from './web.spec.support.js';

const MINUTE = 60_000;

(hasBrowser() ? describe : describe.skip)('web: a run over time', () => {
  let clock: TestClock;
  let countersign: TestHost;
  let browser: Browser;
  let runs: RunMaker;
  let approver: Client;
  let window: Window;
  let page: Page;

  before(async () => {
    clock = new TestClock();
    [countersign, browser] = await Promise.all([createTestHost({ jobTypes: RUN_JOBS, clock }), launchBrowser()]);
    runs = await RunMaker.deployTo(countersign);
    approver = createClient({
      baseUrl: countersign.url,
      token: await countersign.token('approver', { subject: 'bea', groups: ['release-managers'] }),
    });
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
  });

  afterEach(() => window.close());

  /** Opens a run in a browser with the clock of the server. */
  async function open(runId: string, query = ''): Promise<void> {
    window = await openWindow(browser, { url: countersign.url, token: await countersign.token('viewer') });
    ({ page } = window);
    await page.clock.setFixedTime(clock.time);
    await page.goto(`${countersign.url}/runs/${runId}${query}`);
    await page.getByRole('tree', { name: 'Steps' }).waitFor();
  }

  const advanceClock = (ms: number): void => clock.setTo(clock.time + ms);
  const stepItem = (name: string): Locator => page.getByRole('treeitem', { name });

  /** Returns the position of a step's bar, in percent of the available width, and the text next to it. */
  async function readBar(name: string): Promise<{ left: number; width: number; kind: string; took: string }> {
    const barElement = await stepItem(name)
      .locator('.cs-step-bar')
      .evaluate((track) => {
        const bar = track.firstElementChild;
        const [outer, inner] = [track.getBoundingClientRect(), bar?.getBoundingClientRect()];
        const percentOfWidth = (px: number): number => Math.round((px / outer.width) * 100);
        return {
          left: percentOfWidth((inner?.left ?? 0) - outer.left),
          width: percentOfWidth(inner?.width ?? 0),
          kind: bar?.className ?? '',
        };
      });
    return { ...barElement, took: (await stepItem(name).locator('.cs-step-time').textContent()) ?? '' };
  }

  const badge = (elementId: string, kind = ''): Locator =>
    page.locator(`.djs-overlays[data-container-id="${elementId}"] .cs-diagram-badge${kind === '' ? '' : `.${kind}`}`);

  /** Returns the texts of an element's badges and their tooltips. */
  const readBadges = (elementId: string): Promise<string[]> =>
    badge(elementId).evaluateAll((all) =>
      all.map((each) => `${each.textContent}: ${each.getAttribute('title')}`).sort(),
    );

  /**
   * Creates a run whose job took a minute; after its approval waits for a minute, a file is uploaded. @returns the
   * sequence number of the last event as `at`
   */
  async function startHalfwayRun(): Promise<{ runId: string; at: number }> {
    const { runId } = await runs.start('approval', { version: '1.4.0' });
    advanceClock(MINUTE);
    await countersign.jobs.complete('work', { version: '1.4.1', notes: 'Repaired.' });
    await runs.waitForApproval(runId);
    advanceClock(MINUTE);
    const operator = await countersign.client('operator', 'otto');
    await operator.uploadArtifact({ runId, artifactName: 'meanwhile.txt', body: 'x', contentType: 'text/plain' });
    return { runId, at: (await runs.viewer.getRunState({ runId })).lastSeq };
  }

  /** Takes the jobs of all parcels of a run, which start in any order, and returns them in the order of the items. */
  async function takeParcels(count: number): Promise<HeldJob[]> {
    const parcels = [];
    while (parcels.length < count) parcels.push(await countersign.jobs.take('ship'));
    return parcels.sort((one, other) => Number(one.job.variables['item']) - Number(other.job.variables['item']));
  }

  it('should draw the duration of each step relative to the duration of the active run', async () => {
    // given
    const { runId } = await startHalfwayRun();

    // when
    await open(runId);

    // then
    expect(await readBar('Draft the release')).to.deep.equal({
      left: 0,
      width: 50,
      kind: 'cs-completed',
      took: '1 min',
    });
    expect(await readBar('Approve the release')).to.deep.equal({
      left: 50,
      width: 50,
      kind: 'cs-waiting',
      took: '1 min',
    });

    // when
    await page.clock.setFixedTime(clock.time + 2 * MINUTE);

    // then
    await stepItem('Approve the release').getByText('3 min').waitFor();
    expect(await readBar('Draft the release')).to.deep.equal({
      left: 0,
      width: 25,
      kind: 'cs-completed',
      took: '1 min',
    });
    expect(await readBar('Approve the release')).to.deep.equal({
      left: 25,
      width: 75,
      kind: 'cs-waiting',
      took: '3 min',
    });
  });

  it('should use the selected past event as the current time in bars, lines and the step drawer', async () => {
    // given
    const { runId, at } = await startHalfwayRun();
    const stepDrawer = (): Locator => page.getByRole('dialog', { name: 'Step Approve the release' });
    const expectPastState = async (): Promise<void> => {
      await page.getByText(`Event ${at} of`).waitFor();
      await page.getByText('3 steps').waitFor();
      // Until the past state is loaded, the page shows the current state dimmed.
      await page.locator('.cs-run-steps[data-of-another="false"]').waitFor();
      expect(await readBar('Draft the release')).to.deep.equal({
        left: 0,
        width: 50,
        kind: 'cs-completed',
        took: '1 min',
      });
      expect(await readBar('Approve the release')).to.deep.equal({
        left: 50,
        width: 50,
        kind: 'cs-waiting',
        took: '1 min',
      });
      await stepItem('Approve the release').click();
      await stepDrawer().getByText('1 min so far', { exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await stepDrawer().waitFor({ state: 'detached' });
    };
    advanceClock(2 * MINUTE);

    // when the run continues
    await open(runId, `?at=${at}`);
    // then
    await expectPastState();

    // when the run has ended
    const { approvalId } = await runs.waitForApproval(runId);
    await approver.decideApproval({ approvalId, body: { decision: 'approve' } });
    await runs.waitForRun(runId, ({ outcome }) => outcome === 'completed');
    await page.reload();
    // then
    await expectPastState();

    // when
    await page.getByRole('button', { name: 'Back to now' }).click();
    // then
    await stepItem('Done').waitFor();
    expect(await readBar('Draft the release')).to.deep.equal({
      left: 0,
      width: 25,
      kind: 'cs-completed',
      took: '1 min',
    });
    expect(await readBar('Approve the release')).to.deep.equal({
      left: 25,
      width: 75,
      kind: 'cs-completed',
      took: '3 min',
    });
    await stepItem('Approve the release').click();
    await stepDrawer().getByText('3 min', { exact: true }).waitFor();
  });

  it('should show the variables before and after the step that changed them', async () => {
    // given
    const { runId } = await startHalfwayRun();
    const { items } = await runs.viewer.listRunEvents({ runId, limit: 200 });
    const done = items.find(({ type, elementId }) => type === 'step.completed' && elementId === 'work')?.seq ?? 0;
    await open(runId, `?at=${done - 1}`);
    const variables = page.getByRole('tree', { name: 'Variables at this moment' });

    // when
    await page.getByRole('button', { name: 'Variables at this moment', exact: true }).press('Enter');
    // then
    await variables.getByRole('treeitem', { name: 'version' }).getByText('1.4.0').waitFor();
    await expectCount(variables.getByRole('treeitem', { name: 'notes' }), 0);

    // when
    await page.getByRole('button', { name: 'Next event' }).press('Enter');
    // then
    await page.getByRole('button', { name: 'Variables at this moment: 2 changes' }).waitFor();
    expect(await variables.getByRole('treeitem').allTextContents()).to.deep.equal([
      '2 members',
      'version: "1.4.1"changed',
      'notes: "Repaired."new',
    ]);

    // when
    await page.getByRole('button', { name: 'Previous event' }).press('Enter');
    // then
    await variables.getByText('"1.4.0"').waitFor();
    expect(await variables.getByRole('treeitem').allTextContents()).to.deep.equal(['1 member', 'version: "1.4.0"']);
  });

  it('should show on the diagram how long and how often each element was active, also at a past event', async () => {
    // given
    const { runId } = await runs.start('multiInstance', { items: [1, 2, 3] });
    const parcels = await takeParcels(3);
    const shipParcels = async (times: number): Promise<number> => {
      advanceClock(times * MINUTE);
      parcels[times - 1]?.complete();
      await runs.waitForRun(
        runId,
        ({ steps }) =>
          steps.filter(({ elementId, status }) => elementId === 'ship' && status === 'completed').length === times,
      );
      return (await runs.viewer.getRunState({ runId })).lastSeq;
    };
    const seqAfterFirst = await shipParcels(1);
    await shipParcels(2);

    // when
    await open(runId);
    // then
    await badge('ship', 'cs-note').waitFor();
    expect(await readBadges('ship')).to.deep.equal([
      '1: 1 step active',
      '3 min: Last: 3 min; total: 4 min (2 executions)',
      '×3: Entered 3 times',
    ]);
    expect(await readBadges('each')).to.deep.equal([
      '1: 1 step active',
      '2 of 3: 2 of 3 loop instances started so far are done',
      '3 min: Last: 3 min; total: 4 min (2 executions)',
    ]);

    // when
    await page.goto(`${countersign.url}/runs/${runId}?at=${seqAfterFirst}`);
    // then
    await badge('each', 'cs-note').getByText('1 of 3').waitFor();
    expect(await readBadges('ship')).to.deep.equal(['1 min: Took 1 min', '2: 2 steps active', '×3: Entered 3 times']);
    parcels[2]?.complete();
  });

  it('should mark failed elements on the diagram', async () => {
    // given
    const { runId } = await runs.startFailedRun();

    // when
    await open(runId);

    // then
    const failed = page.locator('.djs-shape.cs-failed');
    await failed.waitFor();
    expect(await failed.getAttribute('data-element-id')).to.equal('work');
    expect(await readBadges('work')).to.deep.equal(['1: 1 step failed']);
    expect(await page.locator('.djs-shape.cs-done').getAttribute('data-element-id')).to.equal('start');
  });

  it('should show times in the selected format, also after a reload', async () => {
    // given
    const { runId } = await startHalfwayRun();
    await open(runId);
    const started = page.locator('.cs-run-facts time');
    const { startedAt } = await runs.viewer.getRun({ runId });
    const formatLocalTime = (timeZone: string): string =>
      new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone }).format(
        Date.parse(startedAt),
      );
    const forms = {
      Relative: /^2 minutes ago$/,
      Local: formatLocalTime('Europe/Berlin'),
      UTC: `${formatLocalTime('UTC')} UTC`,
    };
    await started.getByText(forms.Relative).waitFor();

    for (const form of ['UTC', 'Local', 'Relative'] as const) {
      // when
      await page.getByRole('button', { name: 'viewer · Viewer' }).click();
      await page.getByRole('group', { name: 'Times' }).getByRole('menuitemradio', { name: form }).click();
      // then
      await started.getByText(forms[form], { exact: true }).waitFor();
      await page.reload();
      await started.getByText(forms[form], { exact: true }).waitFor();
    }
  });
});
