// Makes docs/screenshots: each page of the web UI, and the views of the desktop client, light and dark, with the
// examples. `npm run screenshots [-- NAME …]`; the name `desktop` selects all views of the desktop client. Uses the
// output of `npm run build`, and needs Chromium (CHROMIUM_BINARY, default /usr/bin/chromium).
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { createDemoRuns, startDemo } from './demo.mjs';

const target = fileURLToPath(new URL('../../docs/screenshots/', import.meta.url));
const names = process.argv.slice(2);
const isRequested = (name) =>
  names.length === 0 || names.includes(name) || (names.includes('desktop') && name.startsWith('desktop-'));
const isDesktopRequested = names.length === 0 || names.some((name) => name.startsWith('desktop'));

/** Returns the screenshots: the page, the role of the user, and the preparation. Made in light and dark by default. */
const listScreenshots = (ids) => [
  { name: 'runs', path: '/runs' },
  { name: 'runs-cancel', schemes: ['light'], path: '/runs', prepare: openCancelDialog },
  { name: 'run', path: `/runs/${ids.waiting}` },
  { name: 'run-failed', path: `/runs/${ids.failed}` },
  { name: 'run-agent', path: `/runs/${ids.triage}`, prepare: openAgentStep },
  { name: 'run-events', path: `/runs/${ids.done}?tab=events` },
  { name: 'run-time-travel', path: `/runs/${ids.reworked}?at=12` },
  { name: 'run-conversation', schemes: ['light'], path: `/runs/${ids.triage}?tab=conversation` },
  {
    name: 'run-artifacts',
    path: `/runs/${ids.waiting}?tab=artifacts&artifact=diff.patch`,
    prepare: (page) => page.getByRole('region', { name: 'diff.patch', exact: true }).waitFor(),
  },
  { name: 'start-run', path: '/runs/new?workflowId=release-approval', height: 880, prepare: fillStartForm },
  { name: 'approvals', path: '/approvals', role: 'approver', prepare: openRelease },
  { name: 'approval', path: `/approvals/${ids.call}`, role: 'approver' },
  { name: 'out-of-office', schemes: ['light'], path: '/approvals', role: 'approver', prepare: fillAbsence },
  { name: 'questions', path: '/questions', prepare: openQuestion },
  { name: 'workflows', path: '/workflows' },
  { name: 'workflow', path: '/workflows/release-approval' },
  { name: 'workflow-heat-map', path: '/workflows/release-approval?view=heat' },
  {
    name: 'workflow-versions',
    path: '/workflows/release-approval?view=versions&version=2&compare=1',
    prepare: waitForDiagram,
  },
  { name: 'workflow-deploy', path: '/workflows?deploy=1', prepare: (page) => selectModelFile(page, ids.models.next) },
  { name: 'inbound-events', path: '/inbound-events' },
  { name: 'deliveries', schemes: ['light'], path: '/deliveries' },
  { name: 'policies', path: '/policies' },
  { name: 'policy-trial', path: '/policies?tab=trial&workflow=issue-triage', prepare: tryPolicyDraft },
  { name: 'settings', path: '/settings?q=limits' },
  { name: 'palette', schemes: ['light'], path: '/runs', prepare: openPalette },
  { name: 'sign-in', path: '/runs', role: null },
  { name: 'not-found', schemes: ['light'], path: '/no-such-page' },
];

async function openAgentStep(page) {
  await page
    .getByRole('treeitem', { name: /triage/i })
    .first()
    .click();
  await page.getByRole('heading', { name: 'Agent activity' }).waitFor();
}

async function fillStartForm(page) {
  const values = {
    'Business key': 'release-1.1.0',
    'repository': '/srv/shop',
    'from': 'v1.0.0',
    'to': 'HEAD',
    'version': '1.1.0',
  };
  for (const [name, value] of Object.entries(values))
    await page.getByRole('textbox', { name, exact: true }).fill(value);
}

async function openRelease(page) {
  await page
    .getByRole('row', { name: /Approve the release/ })
    .filter({ hasText: 'Medium risk' })
    .click();
  await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
}

async function openQuestion(page) {
  await page.getByRole('row').nth(1).click();
  await page.getByRole('radio', { name: 'the invoice' }).check();
}

async function openPalette(page) {
  await page.keyboard.press('Control+k');
  await page.keyboard.type('re');
  await page.getByRole('option').first().waitFor();
}

const waitForDiagram = (page) => page.locator('.cs-diagram[data-ready="true"]').first().waitFor();

async function openCancelDialog(page) {
  await page.getByRole('checkbox', { name: 'Select all loaded runs' }).click();
  await page
    .getByRole('region', { name: /selected$/ })
    .getByRole('button', { name: 'Cancel…' })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Cancel runs' });
  await dialog.getByText(/will be cancelled\.$/).waitFor();
  await dialog.getByRole('textbox', { name: /^Reason/ }).fill('The release is postponed.');
}

async function fillAbsence(page) {
  const formatDay = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  await page.getByRole('button', { name: /^Cleo Tan/ }).click();
  await page.getByRole('menuitem', { name: 'Out of office' }).click();
  const dialog = page.getByRole('dialog', { name: 'Out of office' });
  await dialog.getByLabel('Away from').fill(`${formatDay(1)}T17:00`);
  await dialog.getByLabel('Away until').fill(`${formatDay(8)}T09:00`);
  await dialog.getByRole('combobox', { name: 'Substitute' }).fill('bob');
}

async function selectModelFile(page, xml) {
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'release-approval.bpmn', mimeType: 'application/xml', buffer: Buffer.from(xml) });
  await waitForDiagram(page);
}

const LABELS_POLICY = `// A label can be removed later,
// so adding one needs no approval.
@id("tool.label")
@rationale("A label can be removed later")
@acceptsTaint("true")
permit (
  principal == Agent::"triage",
  action == Action::"callUnattended",
  resource == Tool::"codehost.issue.label"
);
`;

async function tryPolicyDraft(page) {
  await page.getByRole('button', { name: 'Add file' }).click();
  await page.getByRole('textbox', { name: 'Name of the new file' }).fill('labels.cedar');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Draft of labels.cedar' }).fill(LABELS_POLICY);
  await page.getByRole('button', { name: 'Evaluate' }).click();
  await page.getByRole('grid', { name: 'What would change' }).waitFor();
}

const demo = await startDemo();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_BINARY ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});
try {
  await mkdir(target, { recursive: true });
  const ids = await createDemoRuns(demo);
  for (const { name, path, role = 'admin', prepare, schemes = ['light', 'dark'], height = 800 } of listScreenshots(
    ids,
  )) {
    if (!isRequested(name)) continue;
    for (const colorScheme of schemes) {
      const context = await browser.newContext({
        colorScheme,
        viewport: { width: 1280, height },
        reducedMotion: 'reduce',
        locale: 'en-GB',
        timezoneId: 'UTC',
      });
      if (role !== null) {
        const token = await demo.token('cleo', role, ['maintainers']);
        await context.addInitScript(
          ([key, value]) => sessionStorage.setItem(key, value),
          ['countersign:dev-token:/', JSON.stringify({ token, expiresAt: Date.now() + 3_600_000 })],
        );
      }
      const page = await context.newPage();
      await page.goto(demo.url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      if (role !== null) await page.locator('[data-live="live"]').waitFor();
      await prepare?.(page);
      // Wait until no loader is visible, and give other requests time to finish.
      await page.waitForFunction(() =>
        [...document.querySelectorAll('.mantine-Loader-root')].every((loader) => !loader.checkVisibility()),
      );
      await page.waitForTimeout(700);
      await page.screenshot({ path: `${target}${name}-${colorScheme}.png` });
      await context.close();
      process.stderr.write(`${name} ${colorScheme}\n`);
    }
  }
  if (isDesktopRequested) {
    const { makeDesktopScreenshots } = await import('./desktop.mjs');
    await makeDesktopScreenshots(demo, ids, isRequested, async (name, image) => {
      await writeFile(`${target}${name}.png`, image);
      process.stderr.write(`${name}\n`);
    });
  }
} finally {
  await browser.close();
  await demo.stop();
}
