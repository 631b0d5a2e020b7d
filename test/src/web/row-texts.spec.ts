import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { waitForApproval } from '../http/http.spec.support.js';
import { hasBrowser, launchBrowser, openWindow, type Window } from './web.spec.support.js';

const EXAMPLE = new URL('../../../examples/vendor-payments/workflows/vendor-payment.bpmn', import.meta.url);

const LONG_SUPPLIER = 'Žižka & synové, dodavatelé papíru a kancelářských potřeb v Praze, společnost s ručením omezeným';
const BANK_ACCOUNT = { before: 'DE02 1203 0000 0000 2020 51', after: 'DE75 5121 0800 1245 1261 99' };
/** More rows than the window shows, of one, two and four lines of text. */
const SUPPLIERS = Array.from(
  { length: 18 },
  (_, index) => ['Bo', 'Žižka & synové s.r.o.', LONG_SUPPLIER][index % 3] ?? '',
);

(hasBrowser() ? describe : describe.skip)('web: texts of the rows of the inbox', () => {
  let countersign: TestHost;
  let browser: Browser;
  let window: Window;
  let page: Page;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost(), launchBrowser()]);
    await countersign.deploy(await readFile(EXAMPLE, 'utf8'));
    const clara = await countersign.client('operator', 'clara');
    for (const [index, supplier] of SUPPLIERS.entries()) {
      const invoice = { number: `R-${index}`, amount: 138_600, currency: 'CZK', payBy: '2099-12-01' };
      const items = [{ description: 'Paper', quantity: 1, amount: 138_600 }];
      const { runId } = await clara.startRun({
        body: {
          workflowId: 'vendor-payment',
          inputs: { supplier, invoice: { ...invoice, items }, bankAccount: BANK_ACCOUNT },
        },
      });
      await waitForApproval(clara, runId);
    }
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
  });

  beforeEach(async () => {
    window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token('approver', { subject: 'bob', groups: ['treasury'] }),
    });
    ({ page } = window);
    await page.goto(`${countersign.url}/approvals`);
    await page.locator('.cs-inbox-item').first().waitFor();
  });

  afterEach(() => window.close());

  it('should take a second line before they are cut', async () => {
    const row = page.locator('.cs-inbox-item').filter({ hasText: 'synové s.r.o.' }).first();
    for (const text of [row.locator('.cs-inbox-title'), row.locator('.cs-inbox-effect')])
      expect(
        await text.evaluate(({ scrollHeight, clientHeight }: Element) => scrollHeight - clientHeight),
        (await text.textContent()) ?? '',
      ).to.equal(0);
    expect(await row.locator('.cs-inbox-effect').textContent()).to.contain('to a new bank account');
  });

  it('should be whole in the tooltip if they are cut, and in the name of the row', async () => {
    const row = page.getByRole('row', { name: LONG_SUPPLIER }).first();
    const title = row.locator('.cs-inbox-title');
    expect(await title.evaluate(({ scrollHeight, clientHeight }: Element) => scrollHeight > clientHeight)).to.equal(
      true,
    );
    expect(await title.getAttribute('title')).to.match(new RegExp(`${LONG_SUPPLIER}$`));
  });

  it('should neither overlap nor leave the focused row outside the list, whatever their heights', async () => {
    // given
    await page.keyboard.press('1');

    // when
    await page.locator('.cs-inbox-item:focus').press('End');
    const isInView = (): boolean => {
      const [row, list] = ['.cs-inbox-item:focus', '.cs-inbox-list'].map((each) =>
        document.querySelector(each)?.getBoundingClientRect(),
      );
      if (row === undefined || list === undefined) return false;
      return row.bottom <= list.bottom + 1 && row.bottom > list.bottom - row.height;
    };
    await page.waitForFunction(isInView);

    // then
    const boxes = await page.locator('.cs-inbox-item').evaluateAll((rows) =>
      rows.map((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return { top: Math.round(top), bottom: Math.round(bottom) };
      }),
    );
    boxes.sort((one, other) => one.top - other.top);
    expect(boxes.slice(1).map(({ top }) => top)).to.deep.equal(boxes.slice(0, -1).map(({ bottom }) => bottom));
    expect(new Set(boxes.map(({ top, bottom }) => bottom - top)).size).to.be.greaterThan(1);
  });
});
