import { approvalModel, createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { hasBrowser, launchBrowser, openWindow, waitUntilLive } from './web.spec.support.js';

const MAX_BYTES = 300 * 1024;

/** Adds up the received bytes, with the headers of the responses, as the developer tools of the browser do. */
async function countBytes(page: Page): Promise<() => number> {
  const session = await page.context().newCDPSession(page);
  let total = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (total += encodedDataLength));
  await session.send('Network.enable');
  return () => total;
}

(hasBrowser() ? describe : describe.skip)('web: the first load', () => {
  let countersign: TestHost;
  let browser: Browser;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ jobTypes: ['work'] }), launchBrowser()]);
    await countersign.deploy(approvalModel('simple'));
    const operator = await countersign.client('operator', 'olga');
    await operator.startRun({ body: { workflowId: 'simple', businessKey: 'alpha' } });
  });

  after(async () => {
    await browser?.close();
    await countersign.close();
  });

  const open = async () =>
    openWindow(browser, { url: countersign.url, token: await countersign.token('operator', { subject: 'olga' }) });

  it('should take less than 300 KiB for the list of runs', async () => {
    // given
    const window = await open();
    const { page } = window;
    const getByteCount = await countBytes(page);

    // when
    await page.goto(`${countersign.url}/runs`);
    await page.getByRole('row', { name: /alpha/ }).waitFor();
    await waitUntilLive(page);
    await page.evaluate(() => document.fonts.ready);

    // then
    expect(getByteCount()).to.be.within(100_000, MAX_BYTES);
    await window.close();
  });

  it('should leave out dialogs, which are loaded when they are opened, and again after a failure', async () => {
    // given
    const window = await open();
    const { page } = window;
    await page.goto(`${countersign.url}/runs`);
    await waitUntilLive(page);
    const openKeySettings = async (): Promise<void> => {
      await page.getByRole('button', { name: 'olga · Operator' }).click();
      await page.getByRole('menuitem', { name: 'Customize shortcuts' }).click();
    };
    await page.route('**/assets/keyboard-dialog*', (route) => route.abort());

    // when
    await openKeySettings();

    // then
    await page.getByText('The dialog could not be loaded. Try again, or reload the page.').waitFor();

    // when
    await page.unroute('**/assets/keyboard-dialog*');
    await openKeySettings();

    // then
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    await window.close();
  });

  it('should bring a font that draws every character as it is, and a box for those that it does not have', async () => {
    // given
    const window = await open();
    const { page } = window;
    await page.goto(`${countersign.url}/runs`);
    await page.getByRole('row', { name: /alpha/ }).waitFor();

    // when
    const { arrowWidth, characterWidths, boxPixelCount } = await page.evaluate(async () => {
      await document.fonts.load('40px "Inter Variable"');
      const context = document.createElement('canvas').getContext('2d');
      if (context === null) throw new Error('The browser cannot draw.');
      context.font = '40px "Inter Variable"';
      context.fontKerning = 'none';
      const measure = (text: string): number => context.measureText(text).width;
      // A character for private use, which no font has.
      context.fillText('\u{10fffd}', 0, 50);
      const { data } = context.getImageData(0, 0, 100, 100);
      return {
        arrowWidth: measure('->'),
        characterWidths: measure('-') + measure('>'),
        boxPixelCount: data.filter((value, index) => index % 4 === 3 && value > 0).length,
      };
    });

    // then
    expect(arrowWidth).to.be.closeTo(characterWidths, 0.01);
    expect(boxPixelCount).to.be.greaterThan(0);
    await window.close();
  });
});
