import { createTestHost, processModel, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Locator, Page } from 'playwright-core';
import { ScriptedAgents } from '../http/scripted-agents.spec.support.js';
import { addDiagram } from './draw-model.spec.support.js';
import { jobExtension, drawnModel, type DrawnElement } from './drawn-model.spec.support.js';
import { PartsHost, RESEARCHER_AGENTS } from './run-parts.spec.support.js';
import { RUN_JOBS, RunMaker } from './runs.spec.support.js';
import {
  expectAccessible,
  expectCount,
  hasBrowser,
  launchBrowser,
  openWindow,
  type Window,
} from './web.spec.support.js';

const ITEM_COUNT = 300;
/** Limit for the items that a list draws: those in the window and some above and below. */
const MAX_RENDERED = 60;

const START: DrawnElement = { id: 'start', kind: 'startEvent' };
const END: DrawnElement = { id: 'end', kind: 'endEvent' };
const wideModel = (retries: number) =>
  drawnModel('wide', 'Wide workflow', [
    START,
    ...Array.from({ length: ITEM_COUNT }, (_, index): DrawnElement => ({
      id: `s${index}`,
      kind: 'serviceTask',
      inner: jobExtension('work', retries),
    })),
    END,
  ]);
const EMPTY_MODEL = drawnModel('wide', 'Wide workflow', [START, END]);

/** BPMN model that runs a sub-process with a timer for each of `items`, in parallel. It needs no job. */
const PAUSES_MODEL = addDiagram(
  processModel(
    'pauses',
    '<bpmn:startEvent id="start" /><bpmn:subProcess id="each"><bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements><zeebe:loopCharacteristics inputCollection="=items" inputElement="item" /></bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics>' +
      '<bpmn:startEvent id="each-start" /><bpmn:intermediateCatchEvent id="pause"><bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">PT2H</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent><bpmn:endEvent id="each-end" /><bpmn:sequenceFlow id="each-1" sourceRef="each-start" targetRef="pause" /><bpmn:sequenceFlow id="each-2" sourceRef="pause" targetRef="each-end" /></bpmn:subProcess><bpmn:endEvent id="end" />',
    'start > each',
    'each > end',
  ),
);

type Json = Readonly<Record<string, unknown>>;

(hasBrowser() ? describe : describe.skip)('web: long lists', function () {
  this.timeout(120_000);
  let countersign: TestHost;
  let browser: Browser;
  let parts: PartsHost;
  let runs: RunMaker;
  let window: Window;
  let page: Page;

  before(async () => {
    const agents = new ScriptedAgents(RESEARCHER_AGENTS);
    [countersign, browser] = await Promise.all([
      createTestHost({ plugins: [agents.plugin()], jobTypes: RUN_JOBS }),
      launchBrowser(),
    ]);
    [parts, runs] = await Promise.all([
      PartsHost.deployTo(countersign, browser, agents),
      RunMaker.deployTo(countersign),
    ]);
  });

  after(async () => {
    await browser?.close();
    await countersign.close();
  });

  beforeEach(async () => {
    window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token('admin', { subject: 'root' }),
    });
    ({ page } = window);
  });

  afterEach(() => window.close());

  const open = (path: string) => page.goto(countersign.url + path);

  /** Changes the JSON responses of the server to requests whose URL matches. */
  async function changeResponse(urlPattern: RegExp, change: (body: Json) => Json): Promise<void> {
    await page.route(urlPattern, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: change((await response.json()) as Json) });
    });
  }
  function repeatItems(items: unknown, vary: (item: Json, index: number) => Json): readonly Json[] {
    const originalItems = items as readonly Json[];
    return Array.from({ length: ITEM_COUNT }, (_, index) =>
      vary(originalItems[index % originalItems.length] ?? {}, index),
    );
  }

  /** Asserts that only few of many items are drawn, at the start and, after scrolling, at the end. */
  async function expectFewRendered(list: Locator, items: Locator, last: Locator): Promise<void> {
    await items.first().waitFor();
    expect(await items.count()).to.be.lessThan(MAX_RENDERED);
    await expectCount(last, 0);
    await expectAccessible(page);
    await scroll(list, Number.MAX_SAFE_INTEGER);
    await last.waitFor();
    expect(await items.count()).to.be.lessThan(MAX_RENDERED);
    await expectAccessible(page);
  }
  /** Scrolls until the position is stable: items that are measured when they become visible make the list longer. */
  async function scroll(list: Locator, to: number): Promise<void> {
    await list.evaluate(async (element, top) => {
      let scroller: HTMLElement | null = element as HTMLElement;
      while (
        scroller !== null &&
        (!/auto|scroll/.test(getComputedStyle(scroller).overflowY) || scroller.scrollHeight <= scroller.clientHeight)
      )
        scroller = scroller.parentElement;
      const container = scroller ?? document.documentElement;
      for (let stableFrames = 0; stableFrames < 5;) {
        const before = container.scrollTop;
        container.scrollTop = Math.min(top, container.scrollHeight);
        await new Promise(requestAnimationFrame);
        stableFrames = container.scrollTop === before ? stableFrames + 1 : 0;
      }
    }, to);
  }
  const itemAt = (list: Locator, index: number) => list.locator(`[aria-posinset="${index}"]`);

  it('should render only the visible runs of a long list', async () => {
    // given
    for (let offset = 0; offset < ITEM_COUNT; offset += 25)
      await Promise.all(Array.from({ length: 25 }, (_, index) => runs.start('timer', {}, `many-${offset + index}`)));
    await open('/runs?workflowId=web-timer');
    const table = page.getByRole('grid', { name: 'Runs' });
    const first = table.getByRole('row').nth(1);
    await first.waitFor();
    expect(await table.getByRole('row').count()).to.be.lessThan(MAX_RENDERED);

    // when
    await first.focus();
    for (
      let pages = 0;
      pages < 20 && (await table.getAttribute('aria-rowcount')) !== String(ITEM_COUNT + 1);
      pages += 1
    ) {
      const before = await table.getByRole('rowgroup').evaluate((rows) => rows.scrollHeight);
      await page.keyboard.press('End');
      await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'row');
      // The next page has loaded: the table is longer, or shows its length.
      await table.evaluate(async (grid, height) => {
        while (
          grid.getAttribute('aria-rowcount') === '-1' &&
          grid.querySelector('[role="rowgroup"]')?.scrollHeight === height
        )
          await new Promise(requestAnimationFrame);
      }, before);
    }

    // then
    await page.keyboard.press('End');
    await page.waitForFunction(
      (itemCount) => document.activeElement?.getAttribute('aria-rowindex') === String(itemCount + 1),
      ITEM_COUNT,
    );
    expect(await table.getAttribute('aria-rowcount')).to.equal(String(ITEM_COUNT + 1));
    expect(await table.getByRole('row').count()).to.be.lessThan(MAX_RENDERED);
  });

  it('should render only the visible steps and events of a run', async () => {
    // given
    await countersign.deploy(PAUSES_MODEL);
    const { runId } = await runs.viewer.startRun({
      body: { workflowId: 'pauses', inputs: { items: Array.from({ length: ITEM_COUNT }, (_, index) => index) } },
    });
    const { steps } = await runs.waitForRun(runId, (run) => run.steps.length > 3 * ITEM_COUNT);
    await open(`/runs/${runId}`);
    const tree = page.getByRole('tree', { name: 'Steps' });
    const renderedItems = tree.getByRole('treeitem');
    await renderedItems.first().waitFor();

    // then: the tree has the height of all items, but contains only the visible ones
    expect(await tree.evaluate((element) => element.clientHeight)).to.be.greaterThan(steps.length * 20);
    expect(await renderedItems.count()).to.be.lessThan(MAX_RENDERED);
    await tree.focus();
    const top = await renderedItems.first().getAttribute('id');
    await page.keyboard.press('End');
    await page.waitForFunction(
      (id) => document.querySelector('[role="tree"]')?.getAttribute('aria-activedescendant') !== id,
      top,
    );
    await page.locator(`[id="${(await tree.getAttribute('aria-activedescendant')) ?? ''}"]`).waitFor();
    expect(await renderedItems.count()).to.be.lessThan(MAX_RENDERED);

    // when
    await open(`/runs/${runId}?tab=events`);
    const events = page
      .getByRole('listbox', { name: /./ })
      .filter({ has: page.getByRole('option') })
      .first();
    await events.getByRole('option').first().waitFor();
    await page.waitForFunction(
      (itemCount) =>
        Number(document.querySelector('[role="option"][aria-setsize]')?.getAttribute('aria-setsize')) > 3 * itemCount,
      ITEM_COUNT,
    );
    await events.getByRole('option').first().focus();
    await page.keyboard.press('End');

    // then
    await page.waitForFunction(
      () =>
        document.activeElement?.getAttribute('aria-posinset') === document.activeElement?.getAttribute('aria-setsize'),
    );
    expect(await events.getByRole('option').count()).to.be.lessThan(MAX_RENDERED);
  });

  it('should render only the visible messages and approvals of a run', async () => {
    const { runId } = await parts.startReviewedRun();
    await changeResponse(/\/conversation\?/, ({ items }) => ({
      items: repeatItems([(items as readonly Json[])[0]], (message, index) => ({ ...message, messageId: `m${index}` })),
      nextCursor: null,
    }));
    await changeResponse(/\/api\/approvals\?.*status=all/, ({ items }) => ({
      items: repeatItems(items, (approval, index) => ({
        ...approval,
        approvalId: `a${index}`,
        title: `Approval ${index + 1}`,
      })),
      nextCursor: null,
    }));

    await open(`/runs/${runId}?tab=conversation`);
    const conversation = page.getByRole('list', { name: 'Conversation' });
    await expectFewRendered(conversation, conversation.locator('.cs-message'), itemAt(conversation, ITEM_COUNT));

    // when: in a small window, where the page scrolls as well
    await page.setViewportSize({ width: 420, height: 800 });
    await page.reload();
    await expectFewRendered(conversation, conversation.locator('.cs-message'), itemAt(conversation, ITEM_COUNT));
    await page.setViewportSize({ width: 1280, height: 800 });

    await open(`/runs/${runId}?tab=approvals`);
    const approvals = page.getByRole('list', { name: 'Approvals of the run' });
    await expectFewRendered(
      approvals,
      approvals.getByRole('article'),
      approvals.getByRole('article', { name: `Approval ${ITEM_COUNT}, Round 1` }),
    );
  });

  it('should render only the visible agent turns, and keep opened details', async () => {
    // given
    const { runId, steps } = await parts.startReviewedRun();
    const { stepId } = steps.find(({ agentName }) => agentName !== null)!;
    await changeResponse(/\/agent\?/, (work) => ({
      ...work,
      turns: repeatItems(work['turns'], (turn, index) => ({ ...turn, turn: index + 1 })),
      nextCursor: null,
    }));
    await open(`/runs/${runId}?step=${stepId}`);
    const turns = page.getByRole('list', { name: 'Agent activity' });
    await turns.waitFor();
    const first = turns.getByRole('article', { name: 'Turn 1', exact: true });
    const rawDataButton = first.getByRole('button', { name: 'Raw turn data' });
    await rawDataButton.click();
    await first.getByRole('tree').waitFor();

    // when
    await scroll(turns, Number.MAX_SAFE_INTEGER);

    // then
    await turns.getByRole('article', { name: `Turn ${ITEM_COUNT}`, exact: true }).waitFor();
    expect(await turns.getByRole('article').count()).to.be.lessThan(MAX_RENDERED);
    await expectCount(first.getByRole('tree'), 1);
    expect(await rawDataButton.evaluate((button) => document.activeElement === button)).to.equal(true);
    await expectAccessible(page);

    // when: the user continues with the keyboard
    await page.keyboard.press('Tab');
    await page.waitForFunction(() => document.activeElement?.closest('[aria-posinset="1"]') !== null);
  });

  it('should render only the visible versions, changes and findings of a workflow', async () => {
    // given
    await countersign.deploy(wideModel(2));
    await countersign.deploy(EMPTY_MODEL);
    await changeResponse(/\/api\/workflows\/wide(\?|$)/, (workflow) => ({
      ...workflow,
      versions: [
        ...(workflow['versions'] as Json[]),
        ...repeatItems(workflow['versions'], (version, index) => ({ ...version, version: 1_000 + index })),
      ],
    }));

    // then: the list of versions
    await open('/workflows/wide?view=versions');
    const versions = page.getByRole('grid', { name: 'Versions' });
    await versions.getByRole('button', { name: 'Show v1', exact: true }).waitFor();
    expect(await versions.getAttribute('aria-rowcount')).to.equal(String(ITEM_COUNT + 3));
    expect(await versions.getByRole('row').count()).to.be.lessThan(MAX_RENDERED);
    await expectAccessible(page);
    await versions.getByRole('row').nth(1).focus();
    await page.keyboard.press('End');
    await page.waitForFunction(
      (itemCount) => document.activeElement?.getAttribute('aria-rowindex') === String(itemCount + 3),
      ITEM_COUNT,
    );
    expect(await versions.getByRole('row').count()).to.be.lessThan(MAX_RENDERED);

    // and typing finds a version
    await page
      .getByRole('textbox', { name: 'Compare with' })
      .or(page.getByRole('combobox', { name: 'Compare with' }))
      .first()
      .fill('1137');
    await page.getByRole('option', { name: 'v1137' }).waitFor();
    await expectCount(page.getByRole('option'), 1);
    await page.keyboard.press('Escape');

    // then: the list of changes
    await open('/workflows/wide?view=versions&compare=1&version=2');
    const changes = page.getByRole('list', { name: 'Changes' });
    await expectFewRendered(changes, changes.getByRole('button'), itemAt(changes, 2 * ITEM_COUNT + 2));

    // then: the list of findings
    await changeResponse(/\/api\/workflows\?.*dryRun/, (plan) => ({
      ...plan,
      warnings: Array.from({ length: ITEM_COUNT }, (_, index) => ({
        severity: 'warning',
        rule: 'sample',
        elementId: 'start',
        message: `Look at this, ${index + 1}.`,
      })),
    }));
    await open('/workflows?deploy=1');
    await page.locator('input[type=file]').setInputFiles({
      name: 'wide.bpmn',
      mimeType: 'application/xml',
      buffer: Buffer.from(EMPTY_MODEL.replace('Wide workflow', 'Another workflow')),
    });
    const findings = page.getByRole('list', { name: 'Findings' });
    await expectFewRendered(
      findings,
      findings.getByRole('button'),
      findings.getByRole('button', { name: `Look at this, ${ITEM_COUNT}.` }),
    );
  });

  it('should render only the visible failures of a bulk action', async () => {
    // given
    await Promise.all(['bulk-1', 'bulk-2'].map((key) => runs.start('message', { order: key }, key)));
    const runIds = Array.from(
      { length: ITEM_COUNT },
      (_, index) => `00000000-0000-7000-8000-${String(index + 1).padStart(12, '0')}`,
    );
    await page.route(/\/api\/runs\/bulk-cancel/, async (route) => {
      const { runIds: requestedRunIds } = route.request().postDataJSON() as { runIds?: string[] };
      if (route.request().url().includes('dryRun')) {
        const response = await route.fetch();
        return route.fulfill({
          response,
          json: { ...((await response.json()) as Json), affected: ITEM_COUNT, runIds },
        });
      }
      return route.fulfill({
        json: {
          results: (requestedRunIds ?? []).map((runId) => ({
            runId,
            ok: false,
            status: null,
            outcome: null,
            error: { code: 'run_not_found', detail: `Run ${runId} was not found.`, retryable: false },
          })),
        },
      });
    });
    await open('/runs?workflowId=web-message');
    for (const key of ['bulk-1', 'bulk-2'])
      await page.getByRole('checkbox', { name: `Select web-message ${key}` }).click();
    await page.getByRole('button', { name: 'Cancel…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel runs' });
    await dialog.getByRole('textbox').fill('They are not needed.');

    // when
    await dialog.getByRole('button', { name: `Cancel ${ITEM_COUNT} runs` }).click();
    await dialog.getByRole('button', { name: 'Close' }).waitFor();

    // then
    const failureList = dialog.getByRole('list');
    await expectFewRendered(
      failureList,
      failureList.getByRole('link'),
      failureList.getByRole('link', { name: runIds.at(-1)! }),
    );
  });
});
