import type { Client } from '@countersign/contract';
import { createTestHost, processModel, seconds, serviceTask, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Locator, Page } from 'playwright-core';
import { addDiagram } from '../draw-model.spec.support.js';
import { jobExtension, drawnModel, type DrawnElement } from '../drawn-model.spec.support.js';
import { copyRun } from '../copy-run.spec.support.js';
import { expectCount, hasBrowser, launchBrowser, openWindow, type Window } from '../web.spec.support.js';

const RUN_COUNT = 10_000;
const FAILED_COUNT = 120;
/** Passes of the loop. Each pass writes three events: the task starts, the task ends, and the gateway is passed. */
const PASS_COUNT = 3_334;
const ELEMENT_COUNT = 300;
/** Distance between the service tasks of the wide BPMN model, at which the run waits. */
const SERVICE_TASK_STRIDE = 60;

const START = '<bpmn:startEvent id="start" />';
const APPROVAL_TASK = '<bpmn:userTask id="approve" name="Approve it" />';
const END = '<bpmn:endEvent id="end" />';
const SCRIPT_EXTENSIONS =
  '<bpmn:extensionElements><zeebe:script expression="=if n = null then 1 else n + 1" resultVariable="n" /></bpmn:extensionElements>';

/** A loop with `PASS_COUNT` passes, followed by an approval. */
const LONG_MODEL = addDiagram(
  processModel(
    'long',
    `${START}<bpmn:scriptTask id="turn" name="Turn">${SCRIPT_EXTENSIONS}</bpmn:scriptTask><bpmn:exclusiveGateway id="again" default="flow-4" />${APPROVAL_TASK}${END}`,
    'start > turn',
    'turn > again',
    'again > turn',
    'again > approve',
    'approve > end',
  ).replace(
    /(id="flow-3" [^>]*) \/>/,
    `$1><bpmn:conditionExpression xsi:type="bpmn:tFormalExpression">=n &lt; ${PASS_COUNT}</bpmn:conditionExpression></bpmn:sequenceFlow>`,
  ),
);

const isServiceTask = (index: number): boolean => index % SERVICE_TASK_STRIDE === SERVICE_TASK_STRIDE / 2;
const SERVICE_TASK_INDEXES = Array.from({ length: ELEMENT_COUNT - 2 }, (_, index) => index).filter(isServiceTask);
const WIDE_MODEL = drawnModel('wide', 'Wide', [
  { id: 'start', kind: 'startEvent' },
  ...Array.from({ length: ELEMENT_COUNT - 2 }, (_, index): DrawnElement =>
    isServiceTask(index)
      ? { id: `step-${index}`, kind: 'serviceTask', name: `Step ${index}`, inner: jobExtension('work') }
      : { id: `step-${index}`, kind: 'task', name: `Step ${index}` },
  ),
  { id: 'end', kind: 'endEvent' },
]);

(hasBrowser() ? describe : describe.skip)('web: lists of thousands of items and large diagrams', function () {
  this.timeout(180_000);
  let countersign: TestHost;
  let browser: Browser;
  let operator: Client;
  let window: Window;
  let page: Page;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ jobTypes: ['work'] }), launchBrowser()]);
    operator = await countersign.client('operator', 'olga');
    await countersign.deploy(
      processModel('breaks', `${START}${serviceTask('work', 'work', 1)}${END}`, 'start > work', 'work > end'),
    );
    await countersign.deploy(
      processModel('waits', `${START}${APPROVAL_TASK}${END}`, 'start > approve', 'approve > end'),
    );
    for (const xml of [LONG_MODEL, WIDE_MODEL]) await countersign.deploy(xml);
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
  });

  afterEach(() => window.close());

  async function open(path: string): Promise<void> {
    window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token('operator', { subject: 'olga' }),
    });
    ({ page } = window);
    window.context.setDefaultTimeout(seconds(30));
    await page.goto(countersign.url + path);
  }

  const row = (name: RegExp) => page.getByRole('row', { name });

  /** Asserts that the page draws little more than fits on the screen, however many rows exist. */
  async function expectBoundedRows(rows: Locator): Promise<void> {
    expect(await rows.count()).to.be.within(1, 120);
    expect(await page.locator('*').count()).to.be.lessThan(4_000);
  }

  /** Presses End, starting at the focused row, until the list has loaded all rows. */
  async function scrollToEnd(list: Locator): Promise<void> {
    for (let pages = 0; (await list.getAttribute('aria-rowcount')) === '-1'; pages += 1) {
      await page.keyboard.press('End');
      // Waits for the next rows, or for the end of the list.
      await page.waitForFunction(() => {
        const focusedIndex = document.activeElement?.getAttribute('data-index');
        const grid = document.querySelector('[role="grid"]');
        return (
          focusedIndex !== null &&
          (grid?.getAttribute('aria-rowcount') !== '-1' ||
            grid.querySelector(`[data-index="${Number(focusedIndex) + 1}"]`) !== null)
        );
      });
      if (pages % 25 === 0) await expectBoundedRows(list.locator('[data-index]'));
    }
    await page.keyboard.press('End');
  }

  it('should reach the newest and the oldest of 10,000 runs, and find runs by filter and search', async () => {
    // given
    const waitingRun = await operator.startRun({ body: { workflowId: 'waits', businessKey: 'newest' } });
    const failingRun = await operator.startRun({ body: { workflowId: 'breaks', businessKey: 'broken' } });
    (await countersign.jobs.take('work')).fail(new Error('The disk is full.'));
    await waitUntil(
      'one run has failed and the other one waits for its approval',
      async () =>
        (await operator.listRuns({ status: 'failed' })).items.length === 1 &&
        (await operator.listRuns({ status: 'blocked' })).items.length === 1,
    );
    await copyRun(countersign, waitingRun.runId, RUN_COUNT - FAILED_COUNT - 1);
    await copyRun(countersign, failingRun.runId, FAILED_COUNT - 1);
    await open('/runs');
    const list = page.getByRole('grid', { name: 'Runs' });
    const rows = list.locator('[data-index]');

    // when: the user scrolls to the oldest run
    await row(/newest/).waitFor();
    await expectBoundedRows(rows);
    await rows.first().focus();
    await scrollToEnd(list);

    // then
    await row(new RegExp(`copy-${RUN_COUNT - FAILED_COUNT - 1}\\b`)).waitFor();
    expect(await list.getAttribute('aria-rowcount')).to.equal(String(RUN_COUNT + 1));
    await expectBoundedRows(rows);

    // when
    await page.keyboard.press('Home');

    // then
    await row(/newest/).waitFor();
    await expectBoundedRows(rows);

    // when: the user filters by failed runs, and finds one by its business key
    await page.getByRole('button', { name: /^View: / }).click();
    await page.getByRole('menuitem').nth(1).click();
    await row(/broken/).waitFor();
    await row(/newest/).waitFor({ state: 'detached' });
    await rows.first().focus();
    await scrollToEnd(list);
    await row(new RegExp(`copy-${FAILED_COUNT - 1}\\b`)).waitFor();
    await page.getByRole('button', { name: /^Clear/ }).click();
    await page.getByRole('searchbox', { name: 'Search' }).fill('copy-7654');

    // then
    await row(/copy-7654/).waitFor();
    await row(/newest/).waitFor({ state: 'detached' });
    await expectCount(rows, 1);
  });

  it('should reach the first and the last of 10,000 events in every view', async () => {
    // given
    const { runId } = await operator.startRun({ body: { workflowId: 'long' } });
    await waitUntil(
      'the run waits for its approval',
      async () => (await operator.getRun({ runId })).pendingApprovals === 1,
    );
    const { lastSeq } = await operator.getRunState({ runId });
    expect(lastSeq).to.be.greaterThan(10_000);
    await open(`/runs/${runId}?tab=events`);
    const events = page.getByRole('tabpanel', { name: 'Events' });
    await events
      .getByRole('status')
      .filter({ hasText: `${lastSeq.toLocaleString('en')} events` })
      .waitFor();

    // when: the events are shown as sentences
    const eventOptions = events.getByRole('listbox', { name: 'Events of the run' }).getByRole('option');
    await eventOptions.first().focus();
    await page.keyboard.press('Home');
    await events.locator('[data-seq="1"]').waitFor();
    await page.keyboard.press('End');

    // then
    await events.getByRole('option', { name: /Approval of “Approve it” was requested/ }).waitFor();
    await expectBoundedRows(eventOptions);

    // when: the events are shown as a list
    await events.getByText('List', { exact: true }).click();
    const rows = events.getByRole('grid', { name: 'Events of the run' }).locator('[data-index]');
    await rows.first().focus();
    await page.keyboard.press('Home');
    await events.locator('[data-index="0"]').waitFor();
    await page.keyboard.press('End');

    // then
    await events.locator(`[data-index="${lastSeq - 1}"]`).waitFor();
    await expectBoundedRows(rows);

    // when: the events are shown as JSON
    await events.getByText('JSON', { exact: true }).click();
    const lines = events.getByRole('tree', { name: 'Events of the run' }).getByRole('treeitem');
    await lines.first().focus();
    await page.keyboard.press('End');
    for (let hiddenCount = lastSeq - 500; hiddenCount > 0; hiddenCount -= lastSeq - hiddenCount) {
      const hiddenItem = events.getByRole('treeitem', { name: `${hiddenCount.toLocaleString('en')} more not shown` });
      await hiddenItem.waitFor();
      await page.keyboard.press('Enter');
      await hiddenItem.waitFor({ state: 'detached' });
      await page.keyboard.press('End');
    }

    // then
    await events.getByRole('treeitem', { name: new RegExp(`^${lastSeq - 1}\\b`) }).waitFor();
    await expectBoundedRows(lines);

    // when: the page shows the state at an event in the middle, and then at the next event
    await page.goto(`${countersign.url}/runs/${runId}?at=5000`);
    await page
      .getByText(`Event 5,000 of ${lastSeq.toLocaleString('en')}`)
      .or(page.getByText(`Event 5000 of ${lastSeq}`))
      .waitFor();
    await page.getByRole('button', { name: 'Next event' }).click();

    // then
    await page.waitForURL(/at=5001/);
    await page.locator('.cs-diagram[data-ready="true"] [data-element-id="turn"]').waitFor();
    expect(await page.locator('*').count()).to.be.lessThan(4_000);
  });

  it('should update a diagram of 300 elements as the run proceeds', async () => {
    // given
    const { runId } = await operator.startRun({ body: { workflowId: 'wide' } });
    await open(`/runs/${runId}`);
    const waitForMark = (index: number, mark: string): Promise<void> =>
      page
        .locator(`.cs-diagram[data-ready="true"] .djs-element[data-element-id="step-${index}"].${mark}`)
        .waitFor({ state: 'attached' });
    await waitForMark(SERVICE_TASK_INDEXES[0] ?? 0, 'cs-active');
    await page.locator('[data-live="live"]').waitFor();
    expect(await page.locator('.djs-shape').count()).to.be.at.least(ELEMENT_COUNT);
    const elementCountBefore = await page.locator('*').count();

    for (const [index, stepIndex] of SERVICE_TASK_INDEXES.entries()) {
      // when
      await countersign.jobs.complete('work');

      // then
      await waitForMark(stepIndex, 'cs-done');
      const nextStepIndex = SERVICE_TASK_INDEXES[index + 1];
      if (nextStepIndex !== undefined) await waitForMark(nextStepIndex, 'cs-active');
      else await page.locator('.djs-element[data-element-id="end"].cs-done').waitFor({ state: 'attached' });
    }
    await page.getByRole('heading', { level: 1, name: /Completed/ }).waitFor();
    expect(await page.locator('*').count(), 'updates leave no obsolete elements on the page').to.be.lessThan(
      elementCountBefore + 1_000,
    );
    // and each step can be reached
    await page.getByRole('treeitem').first().focus();
    await page.getByRole('tree', { name: 'Steps' }).press('End');
    await page.getByRole('treeitem', { selected: true }).waitFor();
  });
});
