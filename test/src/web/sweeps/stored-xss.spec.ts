import { connectorNotifyPlugin } from '@countersign/connector-notify';
import { outboundHttpPlugin } from '@countersign/outbound-http';
import { createTestHost, seconds, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { startService, type Service } from '../../connectors/connectors.spec.support.js';
import { ScriptedAgents } from '../../http/scripted-agents.spec.support.js';
import { createHostileExternalData, createHostileConfiguration } from '../hostile-sources.spec.support.js';
import { createHostileData, HOSTILE_TEXT, hostileAgent, type HostileData } from '../stored-xss.spec.support.js';
import { expectCount, hasBrowser, launchBrowser, openWindow } from '../web.spec.support.js';

/** Elements and attributes that can only come from injected markup. */
const TRACE_SELECTOR =
  'iframe, object, embed, form[action], base[href^="https:"], link[href^="https:"], script:not([src]), [onerror], [onload], [ontoggle], [onfocus], a[href^="javascript:" i], a[href^="data:" i], img[src^="http" i]';

(hasBrowser() ? describe : describe.skip)('web: stored hostile text', function () {
  this.timeout(90_000);
  const agents = new ScriptedAgents(hostileAgent);
  let countersign: TestHost;
  let browser: Browser;
  let hostileData: HostileData;
  let service: Service;
  let policiesDirectory: string;

  before(async () => {
    [service, policiesDirectory] = await Promise.all([startService(), mkdtemp(join(tmpdir(), 'countersign-hostile-'))]);
    const configuration = await createHostileConfiguration(policiesDirectory, service, HOSTILE_TEXT.slice(0, 450));
    [countersign, browser] = await Promise.all([
      createTestHost({
        jobTypes: ['work'],
        plugins: [agents.plugin(), outboundHttpPlugin, connectorNotifyPlugin],
        configuration,
      }),
      launchBrowser(),
    ]);
    hostileData = await createHostileData(countersign, agents);
    await createHostileExternalData(countersign, service, HOSTILE_TEXT);
  });

  after(async () => {
    await browser?.close();
    await countersign.close();
    await service.close();
    await rm(policiesDirectory, { recursive: true, force: true });
  });

  const visits: readonly (readonly [string, (places: HostileData) => string])[] = [
    ['the list of runs', () => '/runs'],
    ['a waiting run', ({ waitingRunId }) => `/runs/${waitingRunId}`],
    ['a failed run', ({ failedRunId: failed }) => `/runs/${failed}`],
    ['an agent run', ({ agentRunId: agent }) => `/runs/${agent}`],
    ['a run in the past', ({ waitingRunId }) => `/runs/${waitingRunId}?at=5`],
    ['the page that starts a run', () => '/runs/new?workflowId=hostile'],
    ['the approvals', () => '/approvals'],
    ['an approval', ({ approvalId: approval }) => `/approvals/${approval}`],
    ['the questions', () => '/questions'],
    ['the workflows', () => '/workflows'],
    ['a workflow', () => '/workflows/hostile'],
    ['a version of a workflow', () => '/workflows/hostile?view=versions&version=2&compare=1'],
    ['a Markdown artifact', ({ waitingRunId }) => `/runs/${waitingRunId}?tab=artifacts&artifact=note.md`],
    ['the inbound events', () => '/inbound-events'],
    ['the deliveries', () => '/deliveries'],
    ['the policies', () => '/policies'],
    ['the settings', () => '/settings'],
  ];

  for (const [title, getPath] of visits) {
    it(`should show hostile text as plain text on ${title}, on each of its tabs`, async () => {
      // given
      const window = await openWindow(browser, { url: countersign.url, token: await countersign.token('admin') });
      const { page } = window;

      // when
      await page.goto(`${countersign.url}${getPath(hostileData)}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await waitUntilSettled(page);
      await expectNoTrace(page);
      // If the path has a query, only the tab that it shows is checked.
      const tabs = page.url().includes('?') ? 0 : await page.getByRole('tab').count();
      for (let index = 0; index < tabs; index += 1) {
        const tab = page.getByRole('tab').nth(index);
        await tab.click();
        // Until the router has changed the address, the panel of the previous tab remains.
        await tab.and(page.locator('[aria-selected="true"]')).waitFor();
        await waitUntilSettled(page);
        await expectNoTrace(page);
        await openAllPreviews(page);
        await openAllRows(page);
      }
      if (tabs === 0) await openAllRows(page);

      // then
      expect(await page.evaluate(() => (globalThis as { pwned?: unknown }).pwned)).to.equal(undefined);
      expect(await page.evaluate(() => (({}) as { polluted?: unknown }).polluted)).to.equal(undefined);
      await window.close();
    });
  }

  /** Selector of the preview of each artifact. The other artifacts are shown as plain text. */
  const previewSelectors: Readonly<Record<string, string>> = {
    'note.md': '.cs-markdown',
    'data.json': '[role="tree"]',
    'change.patch': '.cs-diff',
    'table.csv': '[role="grid"]',
  };

  it('should show hostile text as plain text in the preview of each artifact', async () => {
    // given
    const window = await openWindow(browser, { url: countersign.url, token: await countersign.token('viewer') });
    const { page } = window;
    await page.goto(`${countersign.url}/runs/${hostileData.waitingRunId}?tab=artifacts`);
    const rows = page.getByRole('grid', { name: 'Artifacts of the run' }).locator('[role="row"][data-index]');
    await rows.first().waitFor();
    await expectCount(rows, hostileData.artifactNames.length);

    for (const [index, name] of hostileData.artifactNames.entries()) {
      // when
      await rows.nth(index).press('Enter');
      // then
      const pane = page.locator('.cs-artifact');
      await pane
        .locator(`.cs-artifact-preview ${previewSelectors[name] ?? 'pre.cs-plain-text'}`)
        .first()
        .waitFor();
      expect(new URL(page.url()).searchParams.get('artifact')).to.equal(name);
      expect(await pane.locator('.cs-artifact-preview').innerText(), name).to.contain('window.pwned=1');
      await expectNoTrace(page);
    }
    expect(await page.evaluate(() => (globalThis as { pwned?: unknown }).pwned)).to.equal(undefined);
    expect(await page.evaluate(() => (({}) as { polluted?: unknown }).polluted)).to.equal(undefined);
    await window.close();
  });
});

/** Waits until no visible content is loading. */
async function waitUntilSettled(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.mantine-Loader-root')].every((loader) => !loader.checkVisibility()),
  );
}

/** Opens content that the tab shows only on demand: previews, details, the drawer of a row. */
async function openAllPreviews(page: Page): Promise<void> {
  const openers = page.getByRole('tabpanel').getByRole('button', { name: /preview|show|details|open|expand/i });
  for (let index = 0; index < Math.min(12, await openers.count()); index += 1) {
    const opener = openers.nth(index);
    if (!(await opener.isVisible()) || !(await opener.isEnabled())) continue;
    // An earlier click may have removed the button.
    await opener.click({ timeout: seconds(2) }).catch(() => undefined);
    await waitUntilSettled(page);
    await expectNoTrace(page);
    if ((await page.getByRole('dialog').count()) > 0) {
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').first().waitFor({ state: 'detached' });
    }
  }
}

/** Opens the details that the rows of a list show next to it or in a drawer. */
async function openAllRows(page: Page): Promise<void> {
  const address = page.url();
  for (
    let index = 0;
    index < Math.min(2, await page.locator('main [role=grid] [role=row][data-index]').count());
    index += 1
  ) {
    await page.locator('main [role=grid] [role=row][data-index]').nth(index).press('Enter');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await waitUntilSettled(page);
    await expectNoTrace(page);
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await waitUntilSettled(page);
  }
}

/** Asserts that no injected markup exists, and that no visible or accessible text has invisible characters. */
async function expectNoTrace(page: Page): Promise<void> {
  const traces = await page.evaluate(
    (selector) => [...document.querySelectorAll(selector)].map((element) => element.outerHTML.slice(0, 200)),
    TRACE_SELECTOR,
  );
  expect(traces).to.deep.equal([]);
  expect(await page.evaluate(findInvisibleCharacters)).to.deep.equal([]);
}

/** Runs in the page. Returns the texts and attributes that contain invisible characters. */
function findInvisibleCharacters(): string[] {
  const invisibleCharacter = /[\u202a-\u202e\u2060-\u2069\u200b\u00ad\u3164\u2800\u{e0041}]|\u200d|\u034f|\ufe01/u;
  const found: string[] = invisibleCharacter.test(document.title) ? [`title: ${document.title}`] : [];
  const texts = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { parentElement: element, nodeValue } = texts.currentNode;
    if (invisibleCharacter.test(nodeValue ?? '')) found.push(`${element?.outerHTML.slice(0, 160)}`);
  }
  for (const element of document.querySelectorAll('*')) {
    for (const name of ['title', 'aria-label', 'aria-description', 'alt', 'placeholder'])
      if (invisibleCharacter.test(element.getAttribute(name) ?? ''))
        found.push(`${name} of ${element.outerHTML.slice(0, 160)}`);
  }
  return found.slice(0, 10);
}
