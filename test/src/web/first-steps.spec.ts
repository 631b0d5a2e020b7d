import { readFileSync } from 'node:fs';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { extendUndoWindow, skipExtendedUndoWindow } from './undo-window.spec.support.js';
import {
  changeColorScheme,
  expectAccessible,
  hasBrowser,
  launchBrowser,
  openWindow,
  waitUntilLive,
  type Window,
} from './web.spec.support.js';

const MODEL = readFileSync(
  new URL('../../../examples/vendor-payments/workflows/vendor-payment.bpmn', import.meta.url),
  'utf8',
);
const TITLE = 'Pay EUR 11,800.00 to Fabrikam Logistics';

(hasBrowser() ? describe : describe.skip)('web: first steps', () => {
  let countersign: TestHost;
  let browser: Browser;

  before(async () => {
    browser = await launchBrowser();
  });

  after(() => browser?.close());

  beforeEach(async () => {
    countersign = await createTestHost();
    await countersign.deploy(MODEL);
  });

  afterEach(() => countersign.close());

  const openAt = async (path: string, viewport = { width: 1280, height: 800 }): Promise<Window> => {
    const window = await openWindow(browser, { url: countersign.url, viewport, afterVote: 'next' });
    await window.page.goto(`${countersign.url}${path}`);
    return window;
  };
  const signInAs = (page: Page, name: string): Promise<void> =>
    page
      .getByRole('list', { name: 'Development users' })
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .click();
  const firstSteps = (page: Page) => page.getByRole('region', { name: 'First steps' });

  /** Records whether the page loads the code of the first steps. It decides that in the frame in which it knows the runs. */
  const recordLoads = (page: Page) => {
    const loads: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('first-steps-content')) loads.push(request.url());
    });
    return async (): Promise<readonly string[]> => {
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      return loads;
    };
  };

  it('should lead from an empty system to the evidence of a run in four clicks', async () => {
    // given
    const window = await openAt('/');
    const { page } = window;
    await signInAs(page, 'Ann');
    await firstSteps(page).getByText('Start here').waitFor();
    await waitUntilLive(page);
    await expectAccessible(page);
    await changeColorScheme(page, 'dark');
    await expectAccessible(page);

    // when
    await page.getByRole('button', { name: 'Start the example Vendor payment' }).click();

    // then
    await page.getByRole('heading', { level: 1, name: 'Vendor payment' }).waitFor();
    await firstSteps(page).getByText('Another person must decide').waitFor();

    // when
    await page.getByRole('button', { name: 'Continue as Bob' }).click();

    // then
    await page.getByRole('heading', { name: TITLE }).waitFor();
    await firstSteps(page).getByText('Step 3 of 4.').waitFor();
    await page.waitForFunction(() => document.activeElement !== document.body);
    await expectAccessible(page);
    await page.clock.install();
    await extendUndoWindow(page);

    // when
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByRole('form').getByRole('button', { name: 'Approve' }).click();

    // then
    await firstSteps(page).getByText('you can undo it').waitFor();
    await skipExtendedUndoWindow(page);
    await page.waitForURL(/\/runs\/[^/]+\?tab=evidence$/);
    await firstSteps(page).getByText('The run has completed').waitFor();
    await page.getByRole('tab', { name: 'Evidence', selected: true }).waitFor();

    // when
    await page.getByRole('button', { name: 'Done' }).click();

    // then
    await firstSteps(page).waitFor({ state: 'detached' });
    const getLoads = recordLoads(page);
    await page.goto(`${countersign.url}/runs`);
    await page.getByText('1 run', { exact: true }).waitFor();
    expect(await getLoads()).to.deep.equal([]);
    await window.close();
  });

  it('should fit on a phone, and go on after the data of the server was reset', async () => {
    // given
    const window = await openAt('/', { width: 390, height: 800 });
    const { page } = window;
    await signInAs(page, 'Ann');
    await page.getByRole('button', { name: 'Start the example Vendor payment' }).click();

    // when
    await page.getByRole('button', { name: 'Continue as Bob' }).waitFor();

    // then
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).to.equal(390);
    await expectAccessible(page);

    // when
    await page.evaluate(() => {
      sessionStorage['countersign:first-steps:/'] = '00000000-0000-7000-8000-000000000000';
    });
    await page.reload();

    // then
    await page.getByRole('heading', { level: 1, name: 'Vendor payment' }).waitFor();
    await page.waitForFunction(() => sessionStorage.getItem('countersign:first-steps:/') === null);
    await window.close();
  });

  it('should be offered to approvers above their empty inbox, and stay closed once closed', async () => {
    // given
    const window = await openAt('/', { width: 390, height: 800 });
    const { page } = window;
    await signInAs(page, 'Bob');

    // when
    await page.waitForURL('**/approvals');
    await firstSteps(page).getByText('Start here').waitFor();
    await expectAccessible(page);
    await firstSteps(page).getByRole('button', { name: 'Close the first steps' }).click();

    // then
    await firstSteps(page).waitFor({ state: 'detached' });
    const getLoads = recordLoads(page);
    await page.goto(`${countersign.url}/runs`);
    await page.getByText('0 runs', { exact: true }).waitFor();
    expect(await getLoads()).to.deep.equal([]);
    await window.close();
  });

  it('should not be offered if there are runs', async () => {
    // given
    const operator = await countersign.client('operator', 'olga');
    const { inputSchema } = await operator.getWorkflow({ workflowId: 'vendor-payment' });
    const [inputs] = inputSchema?.['examples'] as Record<string, never>[];
    await operator.startRun({ body: { workflowId: 'vendor-payment', inputs: inputs ?? {} } });

    // when
    const window = await openAt('/');
    const { page } = window;
    const getLoads = recordLoads(page);
    await signInAs(page, 'Ann');
    await page.getByRole('row', { name: /vendor-payment/ }).waitFor();
    await page.getByText('1 run', { exact: true }).waitFor();

    // then
    expect(await getLoads()).to.deep.equal([]);
    await window.close();
  });

  it('should have a start form that can be filled in with the example', async () => {
    // given
    const window = await openAt('/runs/new?workflowId=vendor-payment');
    const { page } = window;
    await signInAs(page, 'Ann');

    // when
    await page.getByRole('button', { name: 'Fill in the example' }).click();

    // then
    const inputs = page.getByRole('textbox', { name: 'Inputs' });
    await inputs.waitFor();
    expect(JSON.parse(await inputs.inputValue())).to.include({ supplier: 'Fabrikam Logistics' });
    await page.getByRole('button', { name: 'Start run' }).click();
    await page.getByRole('heading', { level: 1, name: 'Vendor payment' }).waitFor();
    await window.close();
  });
});
