import { routes, type Approval, type Client } from '@countersign/contract';
import { createTestHost, waitUntil, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page, Request } from 'playwright-core';
import { APPROVAL_JOBS, ApprovalMaker } from './approvals.spec.support.js';
import { hasBrowser, launchBrowser, openWindow, waitUntilLive, type Window } from './web.spec.support.js';

/** The API requests of a page, without the change feed. */
class ApiLoads {
  readonly finished: { readonly path: string; readonly size: number }[] = [];
  private readonly inFlight = new Set<Request>();

  constructor(page: Page) {
    page.on('request', (request) => isLoad(request) && this.inFlight.add(request));
    page.on('requestfailed', (request) => this.inFlight.delete(request));
    page.on('requestfinished', async (request) => {
      if (!isLoad(request)) return;
      const response = await request.response();
      const size = (await response?.body())?.length ?? 0;
      this.finished.push({ path: new URL(request.url()).pathname, size });
      this.inFlight.delete(request);
    });
  }

  /** Waits until no request is in flight. */
  finish(): Promise<unknown> {
    return waitUntil('all requests are finished', () => this.inFlight.size === 0);
  }
}

function isLoad(request: Request): boolean {
  const { pathname } = new URL(request.url());
  return pathname.startsWith('/api/') && pathname !== routes.streamChanges.path;
}

(hasBrowser() ? describe : describe.skip)('web: lists of approvals', () => {
  let countersign: TestHost;
  let browser: Browser;
  let maker: ApprovalMaker;
  let zoe: Client;
  let loads: ApiLoads;

  before(async () => {
    browser = await launchBrowser();
  });

  beforeEach(async () => {
    countersign = await createTestHost({ jobTypes: APPROVAL_JOBS });
    maker = await ApprovalMaker.deployTo(countersign, 'simple', 'evidence', 'overdue');
    zoe = await countersign.client('approver', 'zoe');
  });

  afterEach(() => countersign.close());

  after(() => browser?.close());

  async function open(path: string): Promise<Window> {
    const window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token('approver', { subject: 'ada' }),
    });
    loads = new ApiLoads(window.page);
    await window.page.goto(`${countersign.url}${path}`);
    await waitUntilLive(window.page);
    return window;
  }

  const approve = ({ approvalId }: Approval): Promise<Approval> =>
    zoe.decideApproval({ approvalId, body: { decision: 'approve' } });
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const rows = (page: Page, name: RegExp) => page.locator('.cs-inbox-item').filter({ hasText: name });

  it('should load only the row that has changed when another person decides', async () => {
    // given
    const subjectText = 'A long text of the subject. '.repeat(2_000);
    const approvals: Approval[] = [];
    for (let n = 0; n < 4; n += 1) approvals.push(await maker.createApproval('simple', { notes: subjectText }));
    const window = await open('/approvals');
    const { page } = window;
    await rows(page, /Approve the release/)
      .nth(3)
      .waitFor();
    await loads.finish();
    loads.finished.length = 0;

    // when
    await approve(approvals[0] as Approval);
    await rows(page, /Approve the release/)
      .nth(3)
      .waitFor({ state: 'detached' });
    await loads.finish();

    // then
    expect(loads.finished.map(({ path }) => path)).to.deep.equal(['/api/inbox']);
    expect(loads.finished[0]?.size).to.be.below(2_000);
    await window.close();
  });

  it('should add a new request and a request that the user can decide from now on', async () => {
    // given
    const window = await open('/approvals');
    const { page } = window;
    await page.getByText('Nothing is waiting for you.').waitFor();

    // when
    await maker.createApproval('simple');

    // then
    await rows(page, /Approve the release/).waitFor();
    expect(await page.title()).to.match(/^\(1\) /);
    await window.close();
  });

  it('should show the next approval without waiting for the server', async () => {
    // given
    for (const notes of ['First notes.', 'Second notes.']) await maker.createApproval('simple', { notes });
    const window = await open('/approvals');
    const { page } = window;
    await rows(page, /Approve the release/)
      .nth(1)
      .waitFor();
    await loads.finish();
    // From now on, the server does not respond to requests for single approvals.
    await page.route(/\/api\/approvals\/[0-9a-f-]{36}$/, () => undefined);

    // when
    await page.keyboard.press('j');
    await page.getByRole('heading', { level: 2, name: 'Approve the release' }).waitFor();
    const firstText = await page.locator('.cs-approvals-decision').innerText();
    await page.keyboard.press('j');

    // then
    const other = firstText.includes('First notes.') ? 'Second notes.' : 'First notes.';
    await page.locator('.cs-approvals-decision').getByText(other, { exact: true }).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await window.close();
  });

  it('should filter by what occurs in the inbox, and keep the filters in the address', async () => {
    // given
    await maker.createApproval('simple');
    await maker.createRiskyApproval();
    const window = await open('/approvals');
    const { page } = window;
    await rows(page, /Approve/)
      .nth(1)
      .waitFor();

    // when
    await button(page, 'Filters').click();
    await page.getByRole('dialog', { name: 'Filters' }).getByRole('combobox', { name: 'Workflow' }).click();
    await page.getByRole('option', { name: 'evidence (1)' }).click();
    await page.keyboard.press('Escape');

    // then
    await rows(page, /Approve/)
      .nth(1)
      .waitFor({ state: 'detached' });
    await rows(page, /Approve the risky release/).waitFor();
    expect(new URL(page.url()).search).to.equal('?workflowId=evidence');

    // when
    await button(page, 'Remove the filter Workflow').click();
    await page.getByRole('searchbox', { name: 'Search approvals' }).fill('printer');

    // then
    await rows(page, /Approve the risky release/).waitFor({ state: 'detached' });
    await rows(page, /Approve the release/).waitFor();
    await page.goBack();
    await button(page, 'Remove the filter Workflow').waitFor();
    await window.close();
  });

  it('should show the number of approvals in each view, and save views', async () => {
    // given
    await maker.createApproval('simple');
    await maker.createApproval('overdue');
    await maker.createRiskyApproval();
    const window = await open('/approvals?riskLevel=high&due=week');
    const { page } = window;

    // when
    await button(page, 'Unsaved view').click();
    const view = (name: string) => page.getByRole('menuitem', { name });

    // then
    await view('All 3').waitFor();
    await view('High risk 1').waitFor();
    await view('Critical risk 0').waitFor();
    await view('Overdue 1').waitFor();

    // when
    await view('Save view…').click();
    await page.getByRole('dialog', { name: 'Save view' }).getByLabel('Name').fill('Risky and due');
    await button(page, 'Save').click();
    await button(page, 'View: Risky and due').click();
    await view('Overdue 1').click();

    // then
    await rows(page, /Approve what is late/).waitFor();
    expect(new URL(page.url()).search).to.equal('?due=overdue');
    await button(page, 'View: Overdue').click();
    await view('Risky and due 0').waitFor();
    await window.close();
  });
});
