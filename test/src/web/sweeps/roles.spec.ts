import { hasRole, ROLES, type Problem, type Role } from '@countersign/contract';
import { seconds } from '@countersign/testing';
import type { TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import {
  REQUESTED_IMPLICITLY,
  listGuardedOperations,
  createGuardedRequests,
  MIN_ROLES,
  getRequiredRole,
  TESTED_ELSEWHERE,
  type ActionPage,
} from '../action.spec.support.js';
import { ACTION_PAGES } from '../action-pages.spec.support.js';
import { PopulatedServer } from '../populated-server.spec.support.js';
import { hasBrowser, launchBrowser, openWindow, type Window } from '../web.spec.support.js';

/** A known user without a role: the role in the token does not exist. */
const STRANGER_USER = 'guest';

(hasBrowser() ? describe : describe.skip)('web: actions that a role may not perform', function () {
  this.timeout(120_000);
  let browser: Browser;
  let server: PopulatedServer;
  let countersign: TestHost;
  const windows = new Map<Role, Window>();
  /** Requests of the pages that were refused. */
  let refusedRequests: string[] = [];

  before(async () => {
    browser = await launchBrowser();
    server = await PopulatedServer.start(browser);
    ({ countersign } = server);
  });

  after(async () => {
    await browser?.close();
    await server?.close();
  });

  const createToken = (role: Role | typeof STRANGER_USER): Promise<string> =>
    countersign.token(role as Role, { subject: role === 'approver' || role === 'admin' ? 'ada' : role });

  async function getPage(role: Role): Promise<Page> {
    const found = windows.get(role);
    if (found !== undefined) return found.page;
    const window = await openWindow(browser, { url: countersign.url, token: await createToken(role) });
    window.page.on(
      'response',
      (response) =>
        response.status() === 403 &&
        void refusedRequests.push(`${role} is refused ${new URL(response.url()).pathname}`),
    );
    windows.set(role, window);
    return window.page;
  }

  /**
   * Returns the actions that are wrongly offered or missing, and the refused requests of a page that the role may read.
   */
  async function findErrorsAt({ actions, path, expected, reads }: ActionPage, role: Role): Promise<string[]> {
    const page = await getPage(role);
    const faults: string[] = [];
    refusedRequests = [];
    await page.goto(countersign.url + path(server.data));
    const mayRead = reads === undefined || hasRole(role, getRequiredRole(reads));
    await (mayRead ? expected(page) : page.getByRole('alert')).first().waitFor();
    await page.locator('[data-live="live"]').waitFor();
    let lastOpener: unknown;
    for (const action of actions) {
      if (
        action.opener !== undefined &&
        action.opener !== lastOpener &&
        (await action.opener.click(page).count()) > 0
      ) {
        await action.opener.click(page).click();
        await action.opener.expected(page).waitFor();
        lastOpener = action.opener;
      }
      const isPermitted = mayRead && hasRole(role, getRequiredRole(action.operation));
      if (isPermitted)
        await action
          .locator(page)
          .first()
          .waitFor({ timeout: seconds(5) })
          .catch(() => faults.push(`${role} is not offered “${action.name}”`));
      else if ((await action.locator(page).count()) > 0) faults.push(`${role} is offered “${action.name}”`);
    }
    // A page that the role may read sends no refused requests.
    // Pages of other roles continue to poll, so their requests are ignored.
    return mayRead ? [...faults, ...refusedRequests.filter((each) => each.startsWith(`${role} `))] : faults;
  }

  for (const actionPage of ACTION_PAGES) {
    it(`should offer ${[...new Set(actionPage.actions.map(({ name }) => `“${name}”`))].join(', ')} only to permitted roles at ${actionPage.path({ failed: {}, message: {}, reviewing: {}, asking: {}, call: {}, simple: [] } as never).split(/[/?]/)[1] ?? ''}`, async () => {
      const faults: string[] = [];
      for (const role of ROLES) faults.push(...(await findErrorsAt(actionPage, role)));
      expect(faults).to.deep.equal([]);
    });
  }

  it('should offer nothing but signing out to a user without a role', async () => {
    const window = await openWindow(browser, { url: countersign.url, token: await createToken(STRANGER_USER) });
    for (const address of new Set(ACTION_PAGES.map(({ path }) => path(server.data)))) {
      await window.page.goto(countersign.url + address);
      await window.page.getByRole('heading', { level: 1, name: 'You have no role here' }).waitFor();
      expect(
        await window.page.getByRole('button').or(window.page.getByRole('link')).allInnerTexts(),
        address,
      ).to.deep.equal(['Sign out']);
    }
    await window.close();
  });

  it('should cover every operation of the web UI that requires a role', () => {
    expect(
      Object.fromEntries(listGuardedOperations().map((operation) => [operation, getRequiredRole(operation)])),
    ).to.deep.equal(MIN_ROLES);
    const tested = new Set(ACTION_PAGES.flatMap(({ actions }) => actions.map(({ operation }) => operation)));
    expect(
      listGuardedOperations().filter(
        (operation) =>
          !tested.has(operation) &&
          !REQUESTED_IMPLICITLY.includes(operation) &&
          TESTED_ELSEWHERE[operation] === undefined,
      ),
    ).to.deep.equal([]);
  });

  it('should refuse every request that a role may not send, without any effect', async () => {
    // given
    const faults: string[] = [];
    const { timerRun, simple, questionId } = server.data;
    for (const role of [STRANGER_USER, ...ROLES] as const) {
      const authorization = `Bearer ${await createToken(role)}`;
      for (const { route, existingPath, missingPath, init } of createGuardedRequests(server.data)) {
        const isPermitted = role !== STRANGER_USER && hasRole(role, route.role);
        // when
        const response = await fetch(countersign.url + (isPermitted ? missingPath : existingPath), {
          ...init,
          headers: { ...init.headers, authorization },
        });
        // then
        const isRefused = response.status === 403 && ((await response.json()) as Problem).code === 'forbidden';
        if (!response.bodyUsed) await response.body?.cancel();
        if (isRefused === isPermitted) faults.push(`${role} ${route.operationId}: ${response.status}`);
      }
    }
    expect(faults).to.deep.equal([]);
    const viewer = await countersign.client('viewer');
    expect(await viewer.getRun({ runId: timerRun.runId })).to.include({ outcome: null });
    expect(await viewer.getApproval({ approvalId: simple[0]?.approvalId ?? '' })).to.deep.include({
      status: 'pending',
      votes: [],
    });
    expect(await viewer.getQuestion({ questionId })).to.include({ status: 'pending' });
  });

  it('should cause no CSP violations, external requests or script errors', async () => {
    for (const window of windows.values()) await window.close();
  });
});
