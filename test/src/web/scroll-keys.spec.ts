import type { Approval } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { APPROVAL_JOBS, ApprovalMaker } from './approvals.spec.support.js';
import { hasBrowser, launchBrowser, openWindow, type Window } from './web.spec.support.js';

/** Enough for a list that is longer than the window. */
const APPROVALS = 10;

(hasBrowser() ? describe : describe.skip)('web: keys that scroll the open approval', () => {
  let countersign: TestHost;
  let browser: Browser;
  let noted: Approval;
  let window: Window;
  let page: Page;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ jobTypes: APPROVAL_JOBS }), launchBrowser()]);
    const maker = await ApprovalMaker.deployTo(countersign, 'simple', 'notes');
    const buildText = (length: number): string => Array.from({ length }, (_, index) => `Line ${index}`).join('\n');
    noted = await maker.createApprovalWithNotes('notes', buildText(400));
    const notes = buildText(60);
    for (let count = 0; count < APPROVALS; count += 1) await maker.createApproval('simple', { notes });
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
  });

  beforeEach(async () => {
    window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token('approver', { subject: 'ada' }),
      viewport: { width: 1280, height: 600 },
    });
    ({ page } = window);
    await page.goto(`${countersign.url}/approvals`);
    await page.locator('.cs-inbox-item').nth(1).waitFor();
    await page.keyboard.press('1');
    await page.locator('article[data-approval] [role="tree"]').first().waitFor();
    await page.locator('.cs-inbox-item:focus').waitFor();
  });

  afterEach(() => window.close());

  const readTop = (selector: string): Promise<number> =>
    page.locator(selector).evaluate(({ scrollTop }: Element) => scrollTop);

  /** Waits until the approval is scrolled, and returns its position. */
  async function waitUntilMoved(from: number): Promise<number> {
    await page.waitForFunction((before) => document.querySelector('.cs-decision-body')?.scrollTop !== before, from);
    return readTop('.cs-decision-body');
  }

  for (const [down, up] of [
    ['PageDown', 'PageUp'],
    ['Space', 'Shift+Space'],
  ] as const) {
    it(`should be ${down} and ${up} while the list has the focus, which stays there`, async () => {
      // when
      await page.keyboard.press(down);
      const scrolled = await waitUntilMoved(0);

      // then
      const screen = await page.locator('.cs-decision-body').evaluate(({ clientHeight }: Element) => clientHeight);
      expect(scrolled).to.be.within(screen / 2, screen - 1);
      expect(await readTop('.cs-inbox-list')).to.equal(0);
      expect(await page.locator('.cs-inbox-item:focus').getAttribute('aria-current')).to.equal('true');

      // when, then
      await page.keyboard.press(up);
      expect(await waitUntilMoved(scrolled)).to.equal(0);
    });
  }

  it('should also scroll it if nothing has the focus', async () => {
    // given
    await page.locator('.cs-inbox-item:focus').evaluate((row: HTMLElement) => row.blur());

    // when
    await page.keyboard.press('PageDown');

    // then
    expect(await waitUntilMoved(0)).to.be.greaterThan(0);
  });

  it('should leave PageDown to evidence that has the focus', async () => {
    // given
    await page.goto(`${countersign.url}/approvals/${noted.approvalId}`);
    await page.getByRole('button', { name: 'Open notes.md' }).click();
    const evidence = page.getByRole('region', { name: 'notes.md, version 1' });
    await evidence.getByText('Line 0', { exact: false }).waitFor();
    await evidence.focus();
    await evidence.scrollIntoViewIfNeeded();
    const top = await readTop('.cs-decision-body');

    // when
    await page.keyboard.press('PageDown');

    // then
    await page.waitForFunction((region) => (region?.scrollTop ?? 0) > 0, await evidence.elementHandle());
    expect(await readTop('.cs-decision-body')).to.equal(top);
  });

  it('should leave Space to buttons and fields', async () => {
    // when: Space presses a button in the list
    await page.locator('.cs-inbox-head').first().focus();
    await page.keyboard.press('Space');

    // then
    await page.locator('.cs-inbox-head[aria-expanded="false"]').first().waitFor();
    expect(await readTop('.cs-decision-body')).to.equal(0);

    // when: Space is typed
    await page.keyboard.press('Space');
    await page.locator('.cs-inbox-item').first().waitFor();
    const search = page.getByRole('searchbox').or(page.locator('.cs-approvals-tools input')).first();
    await search.focus();
    await page.keyboard.type('a b');

    // then
    expect(await search.inputValue()).to.equal('a b');
    expect(await readTop('.cs-decision-body')).to.equal(0);
  });

  it('should be listed with the other keys', async () => {
    await page.keyboard.press('?');
    const help = page.getByRole('dialog');
    await help.getByRole('row', { name: /Scroll the open item down \(also Space\) PageDown/ }).waitFor();
    await help.getByRole('row', { name: /Scroll the open item up \(also Shift Space\) PageUp/ }).waitFor();
  });
});
