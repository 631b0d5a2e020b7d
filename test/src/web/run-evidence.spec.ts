import type { Approval, Client, EvidencePack, RunDetail } from '@countersign/contract';
import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';
import { Device } from '../http/signing.spec.support.js';
import { PartsHost } from './run-parts.spec.support.js';
import {
  changeColorScheme,
  expectAccessible,
  expectCount,
  hasBrowser,
  openWindow,
  type Window,
} from './web.spec.support.js';

const PACK_PATH = /\/evidence-pack\/download$/;
const PHONE = { width: 390, height: 844 };

(hasBrowser() ? describe : describe.skip)('web: the evidence of a run', () => {
  let host: PartsHost;
  let run: RunDetail;
  let pack: EvidencePack;
  let window: Window;
  let page: Page;

  before(async () => {
    host = await PartsHost.start();
    run = await host.startReviewedRun();
    const ada = await host.countersign.client('approver', 'ada');
    await voteSigned(ada, await findApproval(ada));
    pack = await host.viewer.getEvidencePack({ runId: run.runId });
  });

  after(() => host?.close());

  afterEach(() => window.close());

  async function findApproval(client: Client): Promise<Approval> {
    const { items } = await client.listApprovals({ runId: run.runId });
    return items[0] as Approval;
  }

  async function voteSigned(client: Client, approval: Approval): Promise<void> {
    const device = await Device.forServer(client);
    await device.register(client, 'ada');
    await client.decideApproval({
      approvalId: approval.approvalId,
      body: { decision: 'approve', signature: device.signVote(approval, 'approve') },
    });
  }

  interface OpenOptions {
    readonly runId?: string;
    /** Responds to the request for the pack instead of the server. */
    respond?(route: Route): Promise<void>;
    readonly viewport?: { readonly width: number; readonly height: number };
    prepare?(page: Page): Promise<unknown>;
  }

  async function open({ runId = run.runId, respond, viewport, prepare }: OpenOptions = {}): Promise<void> {
    window = await openWindow(host.browser, {
      url: host.countersign.url,
      token: await host.countersign.token('viewer'),
      ...(viewport === undefined ? {} : { viewport }),
    });
    ({ page } = window);
    if (respond !== undefined) await page.route(PACK_PATH, respond);
    await prepare?.(page);
    await page.goto(`${host.countersign.url}/runs/${runId}?tab=evidence`);
  }

  const respondWith =
    (body: unknown) =>
    (route: Route): Promise<void> =>
      route.fulfill({ contentType: 'application/json', body: JSON.stringify(body) });
  const getResultOf = (part: string) =>
    page
      .getByRole('list', { name: 'What was checked' })
      .getByRole('listitem')
      .filter({ hasText: new RegExp(`^${part}`) });

  it('should check the history, documents and signatures in the browser, and list what was not checked', async () => {
    await open();
    await page.getByRole('status').filter({ hasText: 'Complete and unchanged' }).waitFor();
    for (const part of ['History', 'People and texts', 'Statements', 'Documents', 'Signatures'])
      await getResultOf(part).getByText('Passed', { exact: true }).waitFor();
    await getResultOf('History').getByText(`${pack.events.length} events`).waitFor();
    await getResultOf('Signatures').getByText('2 signatures').waitFor();
    await page.getByText(`up to now: event ${pack.events.length}.`).waitFor();
    await page.getByText(pack.chain.runHead.hash.slice(0, 12)).waitFor();
    await page.getByRole('list', { name: 'What was not checked' }).getByText('The content of artifacts').waitFor();
  });

  it('should show who decided what, the answers, the artifacts and the start of the run', async () => {
    await open();
    await page
      .getByRole('list', { name: 'Decisions of people' })
      .getByText(/ada approved Publish the report/)
      .waitFor();
    await page.getByText('just now, signed').waitFor();
    await page.getByRole('list', { name: 'Answered questions' }).getByText('{"team":"printing"}').waitFor();
    await page.getByRole('list', { name: 'Artifacts' }).getByText('report.md').waitFor();
    await page.getByText(pack.artifacts[0]?.sha256.slice(0, 12) ?? '').waitFor();
    await page.getByText('research, version 1').waitFor();
    await page.getByText(/^Allowed: \d/).waitFor();
  });

  it('should download the evidence and copy the command by keyboard', async () => {
    await open({
      prepare: () =>
        page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: host.countersign.url }),
    });
    const downloadEvent = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download evidence' }).press('Enter');
    const fileName = (await downloadEvent).suggestedFilename();
    await page.getByRole('button', { name: 'Copy command' }).press('Enter');
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).to.equal(`npx countersign verify ${fileName}`);
  });

  it('should load and check the evidence again on request', async () => {
    await open();
    await page.getByText(`up to now: event ${pack.events.length}.`).waitFor();
    await page.route(PACK_PATH, respondWith({ ...pack, events: pack.events.slice(0, -1) }));
    await page.getByRole('button', { name: 'Check again' }).press('Enter');
    await page.getByRole('status').filter({ hasText: 'Not valid' }).waitFor();
  });

  it('should refuse the evidence of another run', async () => {
    const other = await host.startAskingRun();
    await open({ respond: respondWith(await host.viewer.getEvidencePack({ runId: other.runId })) });
    await page.getByRole('status').filter({ hasText: 'Not valid: 1 problem found' }).waitFor();
    await page
      .getByRole('list', { name: 'Problems' })
      .getByText('statement_differs at /run/runId: This is the evidence pack of another run.')
      .waitFor();
    await getResultOf('Statements').getByText('Failed').waitFor();
    await expectCount(page.getByText('Complete and unchanged'), 0);
  });

  it('should no longer show personal data that was erased while the tab is open', async () => {
    const { runId } = await host.startAskingRun();
    const admin = await host.countersign.client('admin');
    await admin.cancelRun({ runId, body: { reason: 'Not needed.' } });
    const { run: packRun } = await host.viewer.getEvidencePack({ runId });
    await open({ runId });
    const tab = page.getByRole('group', { name: 'Evidence of the run' });
    await tab.getByText('Complete and unchanged').waitFor();
    await tab
      .getByText(packRun.startedBy ?? '', { exact: false })
      .first()
      .waitFor();
    await admin.erasePersonalData({ runId, body: { reason: 'Request 118' } });
    await tab.getByText('No problems found, but not everything could be checked').waitFor();
    await expectCount(tab.getByText(packRun.startedBy ?? '', { exact: false }), 0);
  });

  it('should announce only that it loads and the verdict, not the progress', async () => {
    let deliver = (): void => undefined;
    const delivery = new Promise<void>((resolve) => (deliver = resolve));
    await open({ respond: (route) => delivery.then(() => respondWith(pack)(route)) });
    const tab = page.getByRole('group', { name: 'Evidence of the run' });
    await tab.getByRole('status').getByText('Loading the evidence…', { exact: true }).waitFor();
    const region = await tab.getByRole('status').first().elementHandle();
    deliver();
    await tab.getByRole('status').filter({ hasText: 'Complete and unchanged' }).waitFor();
    expect(await region?.textContent()).to.include('Complete and unchanged');
    await expectCount(tab.getByRole('alert'), 0);
  });

  it('should show the code, place and message of each problem of a changed pack', async () => {
    const [firstEvent, ...laterEvents] = pack.events;
    const approvals = pack.approvals.map((approval) => ({
      ...approval,
      votes: approval.votes.map((vote) => ({ ...vote, by: 'mal\u202elory' })),
    }));
    await open({
      respond: respondWith({
        ...pack,
        approvals,
        events: [{ ...firstEvent, at: '2020-01-01T00:00:00.000Z' }, ...laterEvents],
      }),
    });
    await page
      .getByRole('status')
      .filter({ hasText: /^Not valid: \d+ problems found/ })
      .waitFor();
    const problems = page.getByRole('list', { name: 'Problems' });
    await problems.getByText('chain_broken at /events/0: The link does not match its hash: it was changed.').waitFor();
    await problems.getByText('statement_differs at /approvals/0/votes').waitFor();
    await problems.getByText('signature_invalid at /approvals/0/votes/0/signature').waitFor();
    for (const part of ['History', 'Statements', 'Signatures']) await getResultOf(part).getByText('Failed').waitFor();
    await page.getByText('mal⟦U+202E⟧lory').waitFor();
    await expectCount(page.getByText('Complete and unchanged'), 0);
    await expectAccessible(page);
    await changeColorScheme(page, 'dark');
    await expectAccessible(page);
  });

  it('should report signatures that the browser cannot verify as not checked', async () => {
    await open({
      prepare: () =>
        page.addInitScript(() => {
          SubtleCrypto.prototype.importKey = () =>
            Promise.reject(new DOMException('Unrecognized name.', 'NotSupportedError'));
        }),
    });
    await page.getByRole('status').filter({ hasText: 'not everything could be checked' }).waitFor();
    await getResultOf('Signatures').getByText('Not complete').waitFor();
    await page
      .getByRole('list', { name: 'What was not checked' })
      .getByText(/^2 signatures/)
      .waitFor();
    await expectCount(page.getByText('Complete and unchanged'), 0);
  });

  const unreadableBodies: Readonly<Record<string, string>> = {
    'that is not JSON': '<!doctype html>',
    'that was cut off': '{"schema":"urn:countersign:schema:evidence-pack:2","run":{',
    'with a number that cannot be read exactly': '{"a":0.12345678901234567890123}',
  };
  for (const [description, body] of Object.entries(unreadableBodies)) {
    it(`should report that a pack ${description} could not be read`, async () => {
      await open({ respond: (route) => route.fulfill({ contentType: 'application/json', body }) });
      await page.getByRole('status').filter({ hasText: 'The evidence could not be read' }).waitFor();
      await page.getByRole('tab', { name: 'Evidence', selected: true }).waitFor();
    });
  }

  const unexpectedPacks: Readonly<Record<string, unknown>> = {
    'an empty list': [],
    'a pack of an unknown format': { schema: 'urn:countersign:schema:evidence-pack:99' },
    'a pack without its parts': { schema: 'urn:countersign:schema:evidence-pack:2', run: null, events: {} },
  };
  for (const [description, body] of Object.entries(unexpectedPacks)) {
    it(`should report no part of ${description} as passed`, async () => {
      await open({ respond: respondWith(body) });
      await page.getByRole('status').filter({ hasText: 'Not valid' }).waitFor();
      await expectCount(page.getByText('Passed', { exact: true }), 0);
    });
  }

  it('should only offer a large pack for download', async () => {
    await open({
      respond: (route) => route.fulfill({ contentType: 'application/json', body: Buffer.alloc(21 * 1024 * 1024, ' ') }),
    });
    await page.getByRole('status').filter({ hasText: 'too large to check here' }).waitFor();
    await page.getByText('Its size is 21 MiB, and the limit is 20 MiB.').waitFor();
    await page.getByRole('button', { name: 'Copy command' }).waitFor();
    const downloadEvent = page.waitForEvent('download');
    await page
      .getByRole('group', { name: 'Evidence of the run' })
      .getByRole('button', { name: 'Download evidence' })
      .press('Enter');
    await downloadEvent;
  });

  it('should offer another attempt if the check cannot be loaded', async () => {
    await open({ prepare: () => page.route('**/assets/load-evidence*', (route) => route.abort()) });
    const retry = page.getByRole('alert').getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    await page.unroute('**/assets/load-evidence*');
    await retry.click();
    await page.getByText('Complete and unchanged').waitFor();
  });

  it('should fit on a phone', async () => {
    await open({ viewport: PHONE });
    await page.getByText('Complete and unchanged').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).to.be.at.most(PHONE.width);
    await expectAccessible(page);
  });
});
