import type { Client } from '@countersign/contract';
import { createTestHost, decisionModel, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { expectProblem, waitForApproval } from '../http/http.spec.support.js';
import { jobExtension, drawnModel, escapeXml, HOSTILE_MARKUP, type DrawnElement } from './drawn-model.spec.support.js';
import { findWatermarkErrors } from './page-checks.spec.support.js';
import {
  expectAccessible,
  expectCount,
  hasBrowser,
  launchBrowser,
  openWindow,
  type Window,
} from './web.spec.support.js';

const orderSteps = (retries: number, extraElements: readonly DrawnElement[] = []): DrawnElement[] => [
  { id: 'start', kind: 'startEvent' },
  {
    id: 'work',
    kind: 'serviceTask',
    name: 'Do the work',
    inner: `<bpmn:documentation>${escapeXml(`What it does: ${HOSTILE_MARKUP}`)}</bpmn:documentation>${jobExtension('work', retries)}`,
  },
  { id: 'ok', kind: 'userTask', name: HOSTILE_MARKUP },
  ...extraElements,
  { id: 'end', kind: 'endEvent' },
];
const orderModel = (elements: readonly DrawnElement[]) =>
  drawnModel('order', 'Order & pay', elements, `Orders are paid. ${HOSTILE_MARKUP}`);
const FIRST_VERSION = orderModel(orderSteps(3));
const STEP_COUNT = 60;
const LONG_MODEL = drawnModel('long', 'Long workflow', [
  { id: 'start', kind: 'startEvent' },
  ...Array.from({ length: STEP_COUNT }, (_, index): DrawnElement => ({
    id: `step-${index}`,
    kind: 'serviceTask',
    name: `Step ${index}`,
    inner: jobExtension('work'),
  })),
  { id: 'end', kind: 'endEvent', name: 'The end' },
]);
const SECOND_VERSION = orderModel(
  orderSteps(5, [{ id: 'send', kind: 'serviceTask', name: 'Send', inner: jobExtension('work') }]),
);

(hasBrowser() ? describe : describe.skip)('web: workflows', function () {
  this.timeout(60_000);
  let countersign: TestHost;
  let browser: Browser;
  let operator: Client;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ jobTypes: ['work'] }), launchBrowser()]);
    operator = await countersign.client('operator', 'otto');
    await countersign.deploy(FIRST_VERSION);
    await countersign.deploy(SECOND_VERSION);
    await countersign.deploy(LONG_MODEL);
    await countersign.deploy(drawnModel('other', 'Something else', orderSteps(3)));
    const headers = {
      'authorization': `Bearer ${await countersign.token('admin')}`,
      'content-type': 'application/xml',
    };
    await fetch(`${countersign.url}/api/decisions`, {
      method: 'POST',
      headers,
      body: decisionModel({
        id: 'risk',
        hitPolicy: 'FIRST',
        inputs: ['amount'],
        rules: ['> 100 => "high"', '- => "low"'],
      }),
    });
  });

  after(async () => {
    await browser?.close();
    await countersign.close();
  });

  async function open(
    path: string,
    role: 'viewer' | 'operator' | 'admin',
    colorScheme: 'light' | 'dark' = 'light',
  ): Promise<Window> {
    const window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token(role),
      colorScheme,
    });
    await window.page.goto(countersign.url + path);
    return window;
  }
  const file = (text: string, name = 'order.bpmn') => ({
    name,
    mimeType: 'application/xml',
    buffer: Buffer.from(text),
  });
  const waitForDiagram = (page: Page) => page.locator('.cs-diagram[data-ready="true"]').first().waitFor();

  it('should list the workflows, and find and open a workflow by keyboard', async () => {
    const window = await open('/workflows', 'viewer');
    const { page } = window;
    await page.getByRole('row', { name: /Something else/ }).waitFor();
    await expectAccessible(page);
    await expectCount(page.getByRole('button', { name: 'Deploy workflow' }), 0);
    expect(await page.getByRole('link', { name: 'Start a run of Order & pay' }).getAttribute('href')).to.contain(
      '/runs/new?workflowId=order',
    );

    await page.getByRole('textbox', { name: 'Search' }).fill('ORDER');
    await page.getByRole('row', { name: /Something else/ }).waitFor({ state: 'detached' });
    expect(page.url()).to.contain('q=ORDER');
    await page.getByRole('row', { name: /Order & pay/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Order & pay', level: 1 }).waitFor();
    await window.close();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`should show the diagram and the element details as plain text (${colorScheme})`, async () => {
      const window = await open('/workflows/order', 'viewer', colorScheme);
      const { page } = window;
      await waitForDiagram(page);
      await page.getByText('Orders are paid. <img').waitFor();
      await page.getByRole('option', { name: 'Do the work' }).click();
      await page.getByText('What it does: <img').waitFor();
      await page.getByRole('cell', { name: 'taskDefinition.retries' }).waitFor();
      expect(page.url()).to.contain('element=work');
      await page.locator('.djs-element.cs-selected[data-element-id="work"]').waitFor();
      // and the element selected on the diagram
      await page.locator('.djs-element[data-element-id="ok"]').click();
      await page.getByRole('heading', { name: HOSTILE_MARKUP, level: 2 }).waitFor();
      await expectAccessible(page);
      await window.close();
    });

    it(`should show the complete bpmn.io watermark on each diagram with nothing over it (${colorScheme})`, async () => {
      const window = await open('/workflows/order', 'viewer', colorScheme);
      const { page } = window;
      await waitForDiagram(page);
      expect(await findWatermarkErrors(page)).to.deep.equal([]);
      await page.goto(`${countersign.url}/workflows/order?view=versions&version=2&compare=1`);
      await waitForDiagram(page);
      expect(await findWatermarkErrors(page)).to.deep.equal([]);
      await window.close();
    });

    it(`should show the differences between the two versions in the address (${colorScheme})`, async () => {
      const window = await open('/workflows/order?version=2&compare=1', 'viewer', colorScheme);
      const { page } = window;
      const changes = page.getByRole('region', { name: 'Changes' });
      await changes.getByRole('button', { name: /Added Send/ }).waitFor();
      const table = changes.getByRole('table', { name: 'Do the work' });
      expect(await table.getByRole('row').last().innerText()).to.match(/taskDefinition\.retries\s+3\s+5/);
      await changes.getByRole('button', { name: /Only moved in the diagram end/ }).waitFor();
      await page.getByText('+ added').first().waitFor();
      await expectCount(page.locator('.cs-diagram').first().getByText('+ added'), 0);
      await changes.getByRole('button', { name: /Added Send/ }).click();
      await page.locator('.djs-element.cs-selected[data-element-id="send"]').waitFor();
      await expectAccessible(page);
      await window.close();
    });
  }

  it('should compare the shown version with the version that the user selects', async () => {
    // given
    const window = await open('/workflows/order?version=2&view=versions', 'viewer');
    const { page } = window;
    // when
    await page.getByRole('combobox', { name: 'Compare with' }).click();
    await page.getByRole('option', { name: 'v1', exact: true }).click();
    // then
    await page
      .getByRole('region', { name: 'Changes' })
      .getByRole('button', { name: /Added Send/ })
      .waitFor();
    expect(new URL(page.url()).searchParams.get('compare')).to.equal('1');
    await window.close();
  });

  it('should render only the visible rows of the element list, and select any element by keyboard', async () => {
    // given
    const window = await open('/workflows/long', 'viewer');
    const { page } = window;
    const elements = page.getByRole('listbox', { name: 'Elements' });
    const firstOption = elements.getByRole('option', { name: 'About this workflow', selected: true });
    await elements.getByRole('option', { name: 'Step 1 Service task' }).waitFor();
    await waitForDiagram(page);
    expect(await firstOption.getAttribute('aria-setsize')).to.equal(String(1 + (STEP_COUNT + 2) + (STEP_COUNT + 1)));
    expect(await elements.getByRole('option').count()).to.be.lessThan(50);

    // when
    await firstOption.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    // then
    await page.getByRole('heading', { name: 'start', level: 2 }).waitFor();
    await page.locator('.djs-element.cs-selected[data-element-id="start"]').waitFor();

    // when: an element is selected on the diagram
    await page.locator('.djs-element[data-element-id="step-50"]').click();
    // then
    const chosenOption = elements.getByRole('option', { name: 'Step 50 Service task', selected: true });
    await chosenOption.waitFor();
    expect(await elements.getByRole('option').count()).to.be.lessThan(50);
    await expectAccessible(page);
    // and keys continue from this element
    await chosenOption.focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press(' ');
    await page.getByRole('heading', { name: 'Step 49', level: 2 }).waitFor();
    await window.close();
  });

  it('should list the versions, and show that an older version is not the newest', async () => {
    const window = await open('/workflows/order?view=versions', 'viewer');
    const { page } = window;
    await page.getByRole('button', { name: 'Compare v1 with the version shown' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Show v1' }).click();
    await page.getByText('This is not the latest version (v2).').waitFor();
    await waitForDiagram(page);
    await expectCount(page.locator('.djs-element[data-element-id="send"]'), 0);
    await page.getByRole('button', { name: 'Show latest version' }).click();
    await page.locator('.djs-element[data-element-id="send"]').waitFor();
    await window.close();
  });

  it('should show frequency, duration and rejections of the elements on a heat map and in a table', async () => {
    const { runId } = await operator.startRun({ body: { workflowId: 'other' } });
    await operator.startRun({ body: { workflowId: 'other' } });
    await countersign.jobs.complete('work');
    const { approvalId } = await waitForApproval(operator, runId);
    await (await countersign.client('approver', 'ada')).decideApproval({ approvalId, body: { decision: 'reject' } });
    const window = await open('/workflows/other?view=heat', 'viewer');
    const { page } = window;
    const table = page.getByRole('grid', { name: 'Figures by element' });
    await table.getByRole('row', { name: /Do the work 2/ }).waitFor();
    await page.getByText('2 runs: 1 in progress, 0 completed, 0 failed, 1 rejected, 0 cancelled').waitFor();
    // In the order of the BPMN model, not of the names.
    expect((await table.getByRole('row').allInnerTexts()).slice(1).map((text) => text.split('\n')[0])).to.deep.equal([
      'start',
      'Do the work',
      HOSTILE_MARKUP,
    ]);
    await page.locator('.djs-element.cs-heat-5[data-element-id="work"]').waitFor();
    await page
      .getByRole('combobox', { name: 'Measure' })
      .or(page.getByRole('textbox', { name: 'Measure' }))
      .first()
      .click();
    await page.getByRole('option', { name: 'Rejections' }).click();
    await page.locator('.djs-element.cs-heat-5[data-element-id="ok"]').waitFor();
    await expectCount(page.locator('.djs-element.cs-heat-5[data-element-id="work"]'), 0);
    expect(page.url()).to.contain('measure=rejections');
    expect(await page.getByRole('list', { name: 'Legend' }).innerText()).to.equal('1');
    await expectAccessible(page);
    await window.close();
  });

  it('should show the findings, the effect and the changes of a file before its deployment', async () => {
    const window = await open('/workflows', 'admin');
    const { page } = window;
    await page.getByRole('button', { name: 'Deploy workflow' }).click();
    await page.getByText('Drop a BPMN file here').waitFor();
    await expectAccessible(page);
    const input = page.locator('input[type=file]');

    // a refused file
    await input.setInputFiles(file(SECOND_VERSION.replace(jobExtension('work', 5), '')));
    const findings = page.getByRole('region', { name: 'Findings' });
    await findings.getByRole('button', { name: /Refused work/ }).click();
    await page.locator('.djs-element.cs-refusal.cs-selected[data-element-id="work"]').waitFor();
    await page.locator('.cs-diagram-badge.cs-refusal').waitFor();
    await expectAccessible(page);
    await expectCount(page.getByRole('button', { name: 'Deploy', exact: true }), 0);

    // a file that is not BPMN, the deployed file again, and a BPMN model without a diagram
    await input.setInputFiles(file('<a><b></a>'));
    await findings.getByRole('button', { name: /Whole file/ }).waitFor();
    await input.setInputFiles(file(SECOND_VERSION));
    await page.getByText('order stays at version 2').waitFor();
    expect(await page.getByRole('button', { name: 'Deploy', exact: true }).isDisabled()).to.equal(true);
    await input.setInputFiles(file(SECOND_VERSION.replace(/<bpmndi:BPMNDiagram.*<\/bpmndi:BPMNDiagram>/s, '')));
    await page.getByText('This BPMN model has no diagram').waitFor();

    // a valid file
    await input.setInputFiles(file(orderModel(orderSteps(7))));
    await page.getByText('order would become version 3.').waitFor();
    await page.getByRole('tab', { name: 'Compared with version 2 (deployed)' }).click();
    await page.getByRole('button', { name: /Removed Send/ }).waitFor();
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    await page.getByRole('heading', { name: 'Order & pay', level: 1 }).waitFor();
    await page.getByText('order is deployed as version 3.').waitFor();
    expect((await operator.getWorkflow({ workflowId: 'order' })).version).to.equal(3);
    await window.close();
  });

  it('should accept a dropped file', async () => {
    const window = await open('/workflows?deploy=1', 'admin');
    const { page } = window;
    await page.getByText('Drop a BPMN file here').waitFor();
    const data = await page.evaluateHandle(
      (text) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], 'dropped.bpmn'));
        return transfer;
      },
      drawnModel('fresh', 'Fresh', orderSteps(3)),
    );
    await page.dispatchEvent('.cs-drop', 'drop', { dataTransfer: data });
    await page.getByText('fresh would be new, as version 1.').waitFor();
    await window.close();
  });

  it('should not offer deployment to a role that the server would refuse', async () => {
    expect(await expectProblem(operator.deployWorkflow({ body: FIRST_VERSION }))).to.include({ status: 403 });
    const window = await open('/workflows?deploy=1', 'operator');
    await window.page.getByRole('row', { name: /Something else/ }).waitFor();
    await expectCount(window.page.getByText('Drop a BPMN file here'), 0);
    await expectCount(window.page.getByRole('button', { name: 'Deploy workflow' }), 0);
    await window.close();
  });

  it('should show a DMN decision as a table', async () => {
    const window = await open('/workflows?tab=decisions', 'viewer');
    const { page } = window;
    await page.getByRole('row', { name: /risk/ }).focus();
    await page.keyboard.press('Enter');
    const table = page.getByRole('dialog').getByRole('table', { name: 'Rules of risk' });
    expect(await table.getByRole('row').nth(1).innerText()).to.match(/1\s+> 100\s+"high"/);
    await page.getByText('Hit policy: FIRST').waitFor();
    expect(page.url()).to.contain('decision=risk');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await window.close();
  });
});
