import type { Role } from '@countersign/contract';
import { createTestHost, processModel, serviceTask, waitUntil, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasBrowser, launchBrowser, openWindow, waitUntilLive, type Window } from './web.spec.support.js';

(hasBrowser() ? describe : describe.skip)('web: the start page', () => {
  let countersign: TestHost;
  let browser: Browser;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ jobTypes: ['work'] }), launchBrowser()]);
    await countersign.deploy(
      processModel(
        'simple',
        `<bpmn:startEvent id="start" />${serviceTask('work', 'work', 1)}<bpmn:endEvent id="end" />`,
        'start > work',
        'work > end',
      ),
    );
  });

  after(async () => {
    await browser?.close();
    await countersign.close();
  });

  async function openStartPage(role: Role): Promise<Window> {
    const window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token(role, { subject: role }),
    });
    await window.page.goto(`${countersign.url}/`);
    await waitUntilLive(window.page);
    return window;
  }

  async function expectStartPage(role: Role, path: string): Promise<void> {
    const window = await openStartPage(role);
    await window.page.waitForURL(`${countersign.url}${path}`);
    await window.close();
  }

  it('should be the inbox of approvers, and all runs for the others if none needs attention', async () => {
    await expectStartPage('approver', '/approvals');
    for (const role of ['viewer', 'operator', 'admin'] as const) await expectStartPage(role, '/runs');
  });

  it('should be the runs that need attention for those who operate runs', async () => {
    // given
    const operator = await countersign.client('operator', 'olga');
    const { runId } = await operator.startRun({ body: { workflowId: 'simple', businessKey: 'broken' } });
    (await countersign.jobs.take('work')).fail(new Error('unreachable'));
    await waitUntil('the run has failed', async () => (await operator.getRun({ runId })).status === 'failed');

    // when, then
    for (const role of ['operator', 'admin'] as const) await expectStartPage(role, '/runs?needsAttention=true');
    await expectStartPage('viewer', '/runs');

    // when
    const window = await openStartPage('operator');
    await window.page.getByRole('row', { name: /broken/ }).waitFor();
    await window.page.getByRole('button', { name: 'View: Needs attention' }).waitFor();

    // then
    await window.page.getByRole('link', { name: 'Runs', exact: true }).click();
    expect(new URL(window.page.url()).search).to.equal('');
    await window.close();
  });
});
