// Makes docs/screenshots: each page of the web UI, and the views of the desktop client, light and dark, on the examples.
// `npm run screenshots [-- NAME …]`; `desktop` stands for all of the desktop client. It reads what `npm run build` made, and
// needs Chromium (CHROMIUM_BINARY, default /usr/bin/chromium).
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { fill, startDemo } from './demo.mjs';

const target = fileURLToPath(new URL('../../docs/screenshots/', import.meta.url));
const names = process.argv.slice(2);
const wanted = (name) => names.length === 0 || names.includes(name) || (names.includes('desktop') && name.startsWith('desktop-'));
const wantsDesktop = names.length === 0 || names.some((name) => name.startsWith('desktop'));

/** What is shown, as whom, and what is done before. */
const shots = (ids) => [
  { name: 'runs', path: '/runs' },
  { name: 'run', path: `/runs/${ids.waiting}` },
  { name: 'run-failed', path: `/runs/${ids.failed}` },
  { name: 'run-agent', path: `/runs/${ids.triage}`, act: openAgentStep },
  { name: 'run-events', path: `/runs/${ids.done}?tab=events` },
  { name: 'run-time-travel', path: `/runs/${ids.reworked}?at=12` },
  { name: 'start-run', path: '/runs/new?workflowId=release-approval' },
  { name: 'approvals', path: `/approvals`, role: 'approver' },
  { name: 'approval', path: `/approvals/${ids.call}`, role: 'approver' },
  { name: 'questions', path: '/questions' },
  { name: 'workflows', path: '/workflows' },
  { name: 'workflow', path: '/workflows/release-approval' },
  { name: 'workflow-heat-map', path: '/workflows/release-approval?view=heat' },
  { name: 'inbound-events', path: '/inbound-events' },
  { name: 'policies', path: '/policies' },
  { name: 'settings', path: '/settings?q=limits' },
  { name: 'sign-in', path: '/runs', role: null },
];

async function openAgentStep(page) {
  await page.getByRole('treeitem', { name: /triage/i }).first().click();
  await page.getByRole('heading', { name: 'What the agent did' }).waitFor();
}

const demo = await startDemo();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_BINARY ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
try {
  await mkdir(target, { recursive: true });
  const ids = await fill(demo);
  for (const { name, path, role = 'admin', act } of shots(ids)) {
    if (!wanted(name)) continue;
    for (const colorScheme of ['light', 'dark']) {
      const context = await browser.newContext({ colorScheme, viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'UTC' });
      if (role !== null) {
        const token = await demo.token('cleo', role, ['maintainers']);
        await context.addInitScript(([key, value]) => sessionStorage.setItem(key, value), ['countersign:dev-token:/', JSON.stringify({ token, expiresAt: Date.now() + 3_600_000 })]);
      }
      const page = await context.newPage();
      await page.goto(demo.url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      if (role !== null) await page.locator('[data-live="live"]').waitFor();
      await act?.(page);
      // Nothing is under way any more: no loader, no request but the feed.
      await page.waitForFunction(() => [...document.querySelectorAll('.mantine-Loader-root')].every((loader) => !loader.checkVisibility()));
      await page.waitForTimeout(700);
      await page.screenshot({ path: `${target}${name}-${colorScheme}.png` });
      await context.close();
      process.stderr.write(`${name} ${colorScheme}\n`);
    }
  }
  if (wantsDesktop) {
    const { makeDesktop } = await import('./desktop.mjs');
    await makeDesktop(demo, ids, wanted, async (name, image) => {
      await writeFile(`${target}${name}.png`, image);
      process.stderr.write(`${name}\n`);
    });
  }
} finally {
  await browser.close();
  await demo.stop();
}
