import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { waitForApproval } from '../http/http.spec.support.js';
import { hasBrowser, launchBrowser, openWindow, type Window } from './web.spec.support.js';

const EXAMPLE = new URL('../../../examples/vendor-payments/workflows/vendor-payment.bpmn', import.meta.url);

/** A window, a large one, one at 200 % zoom and a phone, in CSS pixels. */
const WINDOWS = Object.freeze([
  { width: 1280, height: 800 },
  { width: 1440, height: 2400 },
  { width: 640, height: 400 },
  { width: 390, height: 844 },
]);

(hasBrowser() ? describe : describe.skip)('web: layout of an approval', () => {
  let countersign: TestHost;
  let browser: Browser;
  let window: Window;
  let page: Page;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost(), launchBrowser()]);
    await countersign.deploy(await readFile(EXAMPLE, 'utf8'));
    const clara = await countersign.client('operator', 'clara');
    const { runId } = await clara.startRun({
      body: {
        workflowId: 'vendor-payment',
        inputs: {
          supplier: 'Žižka & synové s.r.o.',
          invoice: {
            number: 'R-1',
            amount: 138_600,
            currency: 'CZK',
            payBy: '2099-12-01',
            items: [{ description: 'Paper', quantity: 1, amount: 138_600 }],
          },
          bankAccount: { before: 'DE02 1203 0000 0000 2020 51', after: 'DE75 5121 0800 1245 1261 99' },
        },
      },
    });
    const { approvalId } = await waitForApproval(clara, runId);
    window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token('approver', { subject: 'bob', groups: ['treasury'] }),
    });
    ({ page } = window);
    await page.goto(`${countersign.url}/approvals/${approvalId}`);
  });

  after(async () => {
    await window?.close();
    await browser?.close();
    await countersign?.close();
  });

  /** Waits until the whole approval is displayed: its diagram is drawn last. */
  const waitUntilComplete = (): Promise<void> => page.locator('.cs-decision .cs-diagram[data-ready="true"]').waitFor();

  for (const { width, height } of WINDOWS)
    it(`should have no parts that overlap or stick out in a window of ${width} × ${height}`, async () => {
      // given
      await page.setViewportSize({ width, height });
      await waitUntilComplete();

      // when
      const parts = await page.locator('.cs-decision-body').evaluate((body) => {
        /** Returns the lowest and the rightmost edge of what an element displays, also outside of its own box. */
        const measure = (element: Element): { bottom: number; right: number } => {
          const { bottom, right } = element.getBoundingClientRect();
          const inner = getComputedStyle(element).overflow === 'visible' ? [...element.children].map(measure) : [];
          return {
            bottom: Math.max(bottom, ...inner.map((each) => each.bottom)),
            right: Math.max(right, ...inner.map((each) => each.right)),
          };
        };
        const edge = body.getBoundingClientRect().right;
        return [...body.children].map((part) => ({
          name: part.querySelector('h3')?.textContent ?? part.tagName,
          top: part.getBoundingClientRect().top,
          bottom: measure(part).bottom,
          isWithinBody: measure(part).right <= edge,
        }));
      });

      // then
      expect(parts.map(({ name }) => name)).to.include.members(['Why', 'Risk', 'Effect', 'Details', 'Raw data']);
      for (const [index, { name, bottom, isWithinBody }] of parts.entries()) {
        expect(isWithinBody, name).to.equal(true);
        expect(parts[index + 1]?.top ?? Number.POSITIVE_INFINITY, `below ${name}`).to.be.at.least(Math.floor(bottom));
      }
    });

  it('should show what the payment changes without scrolling', async () => {
    // when
    await page.setViewportSize({ width: 1280, height: 800 });
    await waitUntilComplete();

    // then
    const isInView = await page
      .getByText('DE75 5121 0800 1245 1261 99')
      .first()
      .evaluate((text) => {
        const body = text.closest('.cs-decision-body')?.getBoundingClientRect();
        return body !== undefined && text.getBoundingClientRect().bottom <= body.bottom;
      });
    expect(isInView).to.equal(true);
  });
});
