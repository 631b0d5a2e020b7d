import type { Client } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { jobExtension, drawnModel, type DrawnElement } from '../drawn-model.spec.support.js';
import { Keyboard } from '../keyboard.spec.support.js';
import { hasBrowser, launchBrowser, openWindow, type Window } from '../web.spec.support.js';

const orderModel = (...extraElements: readonly DrawnElement[]): string =>
  drawnModel('order', 'Order', [
    { id: 'start', kind: 'startEvent' },
    { id: 'work', kind: 'serviceTask', name: 'Do the work', inner: jobExtension('work') },
    ...extraElements,
    { id: 'end', kind: 'endEvent' },
  ]);
const SEND_STEP: DrawnElement = { id: 'send', kind: 'serviceTask', name: 'Send', inner: jobExtension('work') };

(hasBrowser() ? describe : describe.skip)('web: workflows by keyboard only', function () {
  this.timeout(60_000);
  let countersign: TestHost;
  let browser: Browser;
  let admin: Client;
  let window: Window;
  let page: Page;
  let keys: Keyboard;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ jobTypes: ['work'] }), launchBrowser()]);
    admin = await countersign.client('admin', 'ada');
    await countersign.deploy(orderModel());
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
  });

  afterEach(() => window.close());

  async function open(path: string, title: string): Promise<void> {
    window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token('admin', { subject: 'ada' }),
    });
    ({ page } = window);
    keys = new Keyboard(page);
    await page.goto(countersign.url + path);
    await waitForHeading(title);
  }

  const waitForHeading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const main = () => page.getByRole('main');

  it('should deploy a file, compare its versions, and show the heat map', async () => {
    // given
    await admin.startRun({ body: { workflowId: 'order' } });
    await open('/workflows', 'Workflows');
    let fileContent = '';
    page.on(
      'filechooser',
      (chooser) =>
        void chooser.setFiles({ name: 'order.bpmn', mimeType: 'application/xml', buffer: Buffer.from(fileContent) }),
    );
    const chooseFile = async (name: string, content: string): Promise<void> => {
      fileContent = content;
      await keys.activate('button', name, { isBackward: name === 'Choose another file' });
    };

    // when: the file is refused
    await keys.activate('button', 'Deploy workflow');
    await chooseFile('Choose a file', orderModel({ ...SEND_STEP, inner: '' }));
    await page.getByText('The file would be refused').waitFor();
    await keys.expectFocusWithin(main());
    await keys.activate('button', /^Refused send/i);
    await page.locator('.djs-element.cs-selected[data-element-id="send"]').waitFor();

    // when: the file is valid
    await chooseFile('Choose another file', orderModel(SEND_STEP));
    await page.getByText('order would become version 2.').waitFor();
    await keys.expectFocusWithin(main());
    await keys.tabTo('tab', 'Findings');
    await keys.press('ArrowRight');
    await page.getByRole('button', { name: /Added Send/ }).waitFor();
    await keys.activate('button', 'Deploy', { exact: true, isBackward: true });

    // then
    await waitForHeading('Order');
    await keys.expectFocusWithin(main());
    expect((await admin.getWorkflow({ workflowId: 'order' })).version).to.equal(2);

    // when
    await keys.tabTo('tab', 'Diagram');
    await keys.press('ArrowRight');
    await keys.activate('button', 'Compare v1 with the version shown');
    const changes = page.getByRole('region', { name: 'Changes' });
    await changes.waitFor();
    await keys.expectFocusWithin(main());
    await keys.activate('button', /Added Send/, { within: changes });
    await page.locator('.djs-element.cs-selected[data-element-id="send"]').waitFor();

    // when
    await keys.tabTo('tab', 'Versions', { isBackward: true });
    await keys.press('ArrowRight');
    await page.getByRole('grid', { name: 'Figures by element' }).waitFor();
    await keys.tabTo('combobox', 'Measure');
    await keys.press('ArrowDown');
    await page.getByRole('option', { name: 'Median duration' }).waitFor();
    await keys.press('ArrowDown', 'Enter');
    await page.waitForURL(/measure=median/);
    await keys.tabTo('row', /start/);
    await keys.press('ArrowDown', 'Enter');

    // then
    await page.locator('.djs-element.cs-selected[data-element-id="work"]').waitFor();
    await keys.expectFocusWithin(page.getByRole('grid', { name: 'Figures by element' }));
  });
});
