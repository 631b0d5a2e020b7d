import type { Client } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { agentModel, ScriptedAgents } from '../http/scripted-agents.spec.support.js';
import { expectProblem, waitForApproval } from '../http/http.spec.support.js';
import { HOSTILE_MARKUP } from './drawn-model.spec.support.js';
import {
  expectAccessible,
  expectCount,
  hasBrowser,
  launchBrowser,
  openWindow,
  type Window,
} from './web.spec.support.js';

const UNATTENDED_POLICY =
  '@id("notes") @acceptsTaint("true") permit (principal == Agent::"writer", action == Action::"callUnattended", resource == Tool::"note");';

(hasBrowser() ? describe : describe.skip)('web: policies', function () {
  this.timeout(60_000);
  const agents = new ScriptedAgents({
    writer: (turn) =>
      turn === 1
        ? { taint: ['webhook'], calls: [{ tool: 'note', arguments: { text: HOSTILE_MARKUP } }] }
        : { output: { done: true } },
  });
  let countersign: TestHost;
  let browser: Browser;
  let operator: Client;
  let runId: string;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ plugins: [agents.plugin()] }), launchBrowser()]);
    operator = await countersign.client('operator');
    await countersign.deploy(agentModel('write', 'writer'));
    ({ runId } = await operator.startRun({ body: { workflowId: 'write' } }));
    await waitForApproval(operator, runId);
  });

  after(async () => {
    await browser?.close();
    await countersign.close();
  });

  async function open(
    path: string,
    role: 'viewer' | 'operator' | 'admin',
    colorScheme: 'light' | 'dark' = 'light',
  ): Promise<Window> {
    const window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token(role),
      colorScheme,
    });
    await window.page.goto(countersign.url + path);
    return window;
  }

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`should list policy decisions, filter them, and show the details with a link to the step (${colorScheme})`, async () => {
      const window = await open('/policies', 'viewer', colorScheme);
      const { page } = window;
      await page.getByRole('row', { name: /writer calls note.*Needs approval/ }).waitFor();
      await page.getByRole('row', { name: /^work write Allowed/ }).waitFor();
      await expectAccessible(page);
      expect(await page.getByRole('tab').allInnerTexts()).to.deep.equal(['Decisions']);
      await page.goto(`${countersign.url}/policies?decision=require_approval&workflow=write`);
      await page.getByRole('row', { name: /writer calls note/ }).focus();
      await expectCount(page.getByRole('row', { name: /Allowed/ }), 0);
      await page.keyboard.press('Enter');
      const panel = page.getByRole('dialog', { name: 'Policy decision: writer calls note' });
      expect(await panel.getByRole('link', { name: 'Open step' }).getAttribute('href')).to.contain(
        `/runs/${runId}?step=`,
      );
      await expectAccessible(page);
      await window.close();
    });
  }

  it('should show new policy decisions live', async () => {
    const window = await open('/policies', 'viewer');
    const { page } = window;
    await page.locator('[data-live="live"]').waitFor();
    const rows = page.getByRole('row', { name: /writer calls note/ });
    await rows.first().waitFor();
    const initialCount = await rows.count();
    const started = await operator.startRun({ body: { workflowId: 'write' } });
    await waitForApproval(operator, started.runId);
    await rows.nth(initialCount).waitFor();
    await window.close();
  });

  it('should show the policy in force by file with line numbers', async () => {
    const { digest, files } = await operator.getPolicy();
    const window = await open('/policies?tab=policy&file=tools.cedar', 'operator');
    const { page } = window;
    const code = page.getByRole('region', { name: 'Content of tools.cedar' });
    await code.waitFor();
    expect(await code.locator('pre').textContent()).to.equal(files['tools.cedar']);
    const lines = (files['tools.cedar'] ?? '').split('\n');
    expect(await code.locator('.cs-code-lines').textContent()).to.equal(
      lines.map((_, index) => `${index + 1}\n`).join(''),
    );
    await expectCount(code.locator('.cs-code-lines *'), 0);
    await page.getByText(digest).waitFor();
    await page.getByText('Current', { exact: true }).waitFor();
    await expectCount(page.getByRole('tab', { name: 'Try changes' }), 0);
    await expectAccessible(page);
    await window.close();
  });

  it('should show which decisions a draft would change, weaker ones first, and locate its syntax errors', async () => {
    const window = await open('/policies?tab=trial&workflow=write', 'admin');
    const { page } = window;
    // given
    await page.getByRole('button', { name: 'Add file' }).click();
    await page.getByRole('textbox', { name: 'Name of the new file' }).fill('more.cedar');
    await page.keyboard.press('Enter');
    const editor = page.getByRole('textbox', { name: 'Draft of more.cedar' });

    // when the draft is invalid
    await editor.fill(`// ${HOSTILE_MARKUP}\npermit`);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Evaluate' }).click();
    await page
      .getByRole('alert')
      .getByRole('button', { name: /more\.cedar, line 2/ })
      .click();
    expect(
      await editor.evaluate((field: HTMLTextAreaElement) =>
        field.value.slice(field.selectionStart, field.selectionEnd),
      ),
    ).to.equal('permit');
    await page.locator('.cs-code-error', { hasText: '2' }).waitFor();
    expect(await page.locator('.cs-code-lines').textContent()).to.equal('1\n✕ 2\n');

    // and when the draft is valid
    await editor.fill(`// ${HOSTILE_MARKUP}\n${UNATTENDED_POLICY}`);
    await page.getByRole('button', { name: 'Evaluate' }).click();
    const result = page.getByRole('region', { name: 'What would change' });
    const row = result.getByRole('row', { name: /note Needs approval.*Allowed.*Less strict/ }).first();
    await row.waitFor();
    expect(await row.getByRole('link', { name: 'work' }).getAttribute('href')).to.match(/\/runs\/[^?]+\?step=/);
    await result.getByText('would be less strict').waitFor();
    await expectAccessible(page);

    // and when the draft changes many decisions, only a few rows are rendered
    await page.route('**/api/policy/try', async (route) => {
      const response = await route.fetch();
      const trial = (await response.json()) as { readonly changed: readonly { readonly stepId: string }[] };
      const changed = Array.from({ length: 300 }, (_, index) => ({ ...trial.changed[0], stepId: `step-${index}` }));
      await route.fulfill({ response, json: { ...trial, changed } });
    });
    await page.getByRole('button', { name: 'Evaluate' }).click();
    const changes = result.getByRole('grid', { name: 'What would change' });
    await page.waitForFunction(() => document.querySelector('[role="grid"]')?.getAttribute('aria-rowcount') === '301');
    expect(await changes.getByRole('row').count()).to.be.lessThan(60);
    await page.unroute('**/api/policy/try');

    // then the draft is not stored
    expect(Object.keys((await operator.getPolicy()).files)).to.not.include('more.cedar');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByText('The draft has changed since this result.').waitFor();
    await page.getByRole('button', { name: 'Evaluate' }).click();
    await result.getByText('No decisions would change.').waitFor();
    await window.close();
  });

  it('should show the policy to operators only, and the policy trial to admins only', async () => {
    const viewer = await countersign.client('viewer');
    expect(await expectProblem(viewer.getPolicy())).to.include({ status: 403 });
    expect(await expectProblem(operator.tryPolicy({ body: { policies: {} } }))).to.include({ status: 403 });
    const window = await open('/policies?tab=trial', 'operator');
    await window.page
      .getByRole('row', { name: /writer calls note/ })
      .first()
      .waitFor();
    expect(await window.page.getByRole('tab').allInnerTexts()).to.deep.equal(['Decisions', 'Policy files']);
    await window.close();
  });
});
