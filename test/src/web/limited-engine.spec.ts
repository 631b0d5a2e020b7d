import { ENGINE_CAPABILITY_NAMES } from '@countersign/model';
import { expect } from 'chai';
import type { Role } from '@countersign/contract';
import type { Browser } from 'playwright-core';
import { createLimitedEngine } from '../engines/limited-engine.spec.support.js';
import { buildEvent, buildSignedRequest, Ingress } from '../event-ingress/ingress.spec.support.js';
import { RUN_JOBS, RunMaker } from './runs.spec.support.js';
import {
  expectAccessible,
  expectCount,
  hasBrowser,
  launchBrowser,
  openWindow,
  type Window,
} from './web.spec.support.js';

(hasBrowser() ? describe : describe.skip)('web: an engine that cannot do everything', () => {
  let ingress: Ingress;
  let browser: Browser;
  let runs: RunMaker;

  before(async () => {
    [ingress, browser] = await Promise.all([
      Ingress.create([], { jobTypes: RUN_JOBS, engine: { plugin: createLimitedEngine(ENGINE_CAPABILITY_NAMES) } }),
      launchBrowser(),
    ]);
    runs = await RunMaker.deployTo(ingress.server);
  });

  after(async () => {
    await browser?.close();
    await ingress?.close();
  });

  async function open(path: string, role: Role, groups: readonly string[] = []): Promise<Window> {
    const token = await ingress.server.token(role, { groups: [...groups] });
    const window = await openWindow(browser, { url: ingress.server.url, token });
    await window.page.goto(ingress.server.url + path);
    return window;
  }

  it('should explain on a run page why a run cannot be moved to a newer version, and show only its current state', async () => {
    // given
    const { run } = await runs.startRunWaitingForApproval();
    await runs.deployAgain('approval');

    // when
    const window = await open(`/runs/${run.runId}?at=1`, 'operator');
    const { page } = window;

    // then
    await page.getByText('The engine of this server (limited) can’t move runs to another version.').waitFor();
    await page.getByText('The engine of this server (limited) can’t step through the events of a run.').waitFor();
    await page.getByRole('button', { name: 'Cancel run…' }).waitFor();
    await page.getByRole('treeitem', { name: 'Approve the release' }).waitFor();
    await expectCount(page.getByRole('button', { name: /Move to version|Step through events/ }), 0);
    await expectAccessible(page);
    await window.close();
  });

  it('should explain in an approval why it cannot be delegated or reassigned', async () => {
    // given
    const { approval } = await runs.startRunWaitingForApproval();

    // when
    const window = await open(`/approvals/${approval.approvalId}`, 'admin', ['release-managers']);
    const { page } = window;

    // then
    await page
      .getByText('The engine of this server (limited) can’t delegate approvals or reassign approvals.')
      .waitFor();
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
    await expectCount(page.getByRole('button', { name: 'More actions' }), 0);
    await expectAccessible(page);
    await window.close();
  });

  it('should explain in an event why it cannot be delivered again', async () => {
    // given
    const { body } = await ingress.post(buildSignedRequest(buildEvent('nobody-waits')));

    // when
    const window = await open(`/inbound-events?event=${String(body['eventId'])}`, 'operator');
    const panel = window.page.getByRole('dialog', { name: 'Event ci.passed' });

    // then
    await panel.getByText('The engine of this server (limited) can’t deliver events again.').waitFor();
    await expectCount(panel.getByRole('button', { name: 'Deliver again' }), 0);
    expect(window.faults).to.deep.equal([]);
    await window.close();
  });
});
