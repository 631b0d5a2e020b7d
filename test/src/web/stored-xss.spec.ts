import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { ScriptedAgents } from '../http/agents.spec.support.js';
import { fillHostile, hostileAgent, type HostilePlaces } from './stored-xss.spec.support.js';
import { hasBrowser, launchBrowser, openWindow } from './web.spec.support.js';

/** Elements and attributes that only markup of an attacker could have brought. */
const TRACES = 'iframe, object, embed, form[action], base[href^="https:"], link[href^="https:"], script:not([src]), [onerror], [onload], [ontoggle], [onfocus], a[href^="javascript:" i], a[href^="data:" i], img[src^="http" i]';

(hasBrowser() ? describe : describe.skip)('web: hostile text everywhere', function () {
  this.timeout(90_000);
  const agents = new ScriptedAgents(hostileAgent);
  let countersign: TestHost;
  let browser: Browser;
  let places: HostilePlaces;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ jobTypes: ['work'], plugins: [agents.plugin()] }), launchBrowser()]);
    places = await fillHostile(countersign, agents);
  });

  after(async () => {
    await browser?.close();
    await countersign.close();
  });

  const visits: readonly (readonly [string, (places: HostilePlaces) => string])[] = [
    ['the list of runs', () => '/runs'],
    ['a run that waits', ({ waiting }) => `/runs/${waiting}`],
    ['a run that failed', ({ failed }) => `/runs/${failed}`],
    ['a run of an agent', ({ agent }) => `/runs/${agent}`],
    ['a run in the past', ({ waiting }) => `/runs/${waiting}?at=5`],
    ['the start of a run', () => '/runs/new?workflowId=hostile'],
    ['the approvals', () => '/approvals'],
    ['an approval', ({ approval }) => `/approvals/${approval}`],
    ['the questions', () => '/questions'],
    ['the workflows', () => '/workflows'],
    ['a workflow', () => '/workflows/hostile'],
    ['the policies', () => '/policies'],
    ['the settings', () => '/settings'],
  ];

  for (const [title, addressOf] of visits) {
    it(`should show it as text on ${title}, on each of its tabs`, async () => {
      // given
      const window = await openWindow(browser, { url: countersign.url, token: await countersign.token('admin') });
      const { page } = window;

      // when
      await page.goto(`${countersign.url}${addressOf(places)}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settled(page);
      await expectNoTrace(page);
      for (let index = 0; index < (await page.getByRole('tab').count()); index += 1) {
        await page.getByRole('tab').nth(index).click();
        await settled(page);
        await expectNoTrace(page);
        await openAll(page);
      }

      // then
      expect(await page.evaluate(() => (globalThis as { pwned?: unknown }).pwned)).to.equal(undefined);
      expect(await page.evaluate(() => ({} as { polluted?: unknown }).polluted)).to.equal(undefined);
      await window.close();
    });
  }
});

/** Nothing that is seen is being loaded any more. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => [...document.querySelectorAll('.mantine-Loader-root')].every((loader) => !loader.checkVisibility()));
}

/** Opens what the tab shows only on demand: previews, details, the drawer of a row. */
async function openAll(page: Page): Promise<void> {
  const openers = page.getByRole('tabpanel').getByRole('button', { name: /preview|show|details|open|expand/i });
  for (let index = 0; index < Math.min(12, await openers.count()); index += 1) {
    const opener = openers.nth(index);
    if (!(await opener.isVisible()) || !(await opener.isEnabled())) continue;
    await opener.click();
    await settled(page);
    await expectNoTrace(page);
    if ((await page.getByRole('dialog').count()) > 0) {
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').first().waitFor({ state: 'detached' });
    }
  }
}

async function expectNoTrace(page: Page): Promise<void> {
  const traces = await page.evaluate((selector) => [...document.querySelectorAll(selector)].map((element) => element.outerHTML.slice(0, 200)), TRACES);
  expect(traces).to.deep.equal([]);
}
