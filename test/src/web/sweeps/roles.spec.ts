import { hasRole, ROLES, type Problem, type Role } from '@countersign/contract';
import { seconds } from '@countersign/testing';
import type { TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import {
  ASKED_BY_ITSELF,
  guardedOperations,
  guardedRequests,
  MIN_ROLES,
  roleOf,
  TESTED_ELSEWHERE,
  type Place,
} from '../action.spec.support.js';
import { PLACES } from '../places.spec.support.js';
import { PopulatedServer } from '../populated.spec.support.js';
import { hasBrowser, launchBrowser, openWindow, type Window } from '../web.spec.support.js';

/** A known user without a role: the role in the token does not exist. */
const STRANGER = 'guest';

(hasBrowser() ? describe : describe.skip)('web: actions that a role may not perform', function () {
  this.timeout(120_000);
  let browser: Browser;
  let server: PopulatedServer;
  let countersign: TestHost;
  const windows = new Map<Role, Window>();
  /** Requests of the pages that were refused. */
  let refused: string[] = [];

  before(async () => {
    browser = await launchBrowser();
    server = await PopulatedServer.start(browser);
    ({ countersign } = server);
  });

  after(async () => {
    await browser?.close();
    await server?.close();
  });

  const tokenOf = (role: Role | typeof STRANGER): Promise<string> =>
    countersign.token(role as Role, { subject: role === 'approver' || role === 'admin' ? 'ada' : role });

  async function pageOf(role: Role): Promise<Page> {
    const found = windows.get(role);
    if (found !== undefined) return found.page;
    const window = await openWindow(browser, { url: countersign.url, token: await tokenOf(role) });
    window.page.on(
      'response',
      (response) =>
        response.status() === 403 && void refused.push(`${role} is refused ${new URL(response.url()).pathname}`),
    );
    windows.set(role, window);
    return window.page;
  }

  /** Returns the actions that are wrongly offered or wrongly missing. */
  async function faultsAt({ actions, at, seen, reads }: Place, role: Role): Promise<string[]> {
    const page = await pageOf(role);
    const faults: string[] = [];
    refused = [];
    await page.goto(countersign.url + at(server.made));
    const mayRead = reads === undefined || hasRole(role, roleOf(reads));
    await (mayRead ? seen(page) : page.getByRole('alert')).first().waitFor();
    await page.locator('[data-live="live"]').waitFor();
    let behind: unknown;
    for (const action of actions) {
      if (action.behind !== undefined && action.behind !== behind && (await action.behind.click(page).count()) > 0) {
        await action.behind.click(page).click();
        await action.behind.seen(page).waitFor();
        behind = action.behind;
      }
      const may = mayRead && hasRole(role, roleOf(action.operation));
      if (may)
        await action
          .offered(page)
          .first()
          .waitFor({ timeout: seconds(5) })
          .catch(() => faults.push(`${role} is not offered “${action.name}”`));
      else if ((await action.offered(page).count()) > 0) faults.push(`${role} is offered “${action.name}”`);
    }
    // A page that the role may read sends no refused requests.
    // Pages of other roles continue to poll, so their requests are ignored.
    return mayRead ? [...faults, ...refused.filter((each) => each.startsWith(`${role} `))] : faults;
  }

  for (const place of PLACES) {
    it(`should offer ${[...new Set(place.actions.map(({ name }) => `“${name}”`))].join(', ')} only to permitted roles at ${place.at({ failed: {}, message: {}, reviewing: {}, asking: {}, call: {}, simple: [] } as never).split(/[/?]/)[1] ?? ''}`, async () => {
      const faults: string[] = [];
      for (const role of ROLES) faults.push(...(await faultsAt(place, role)));
      expect(faults).to.deep.equal([]);
    });
  }

  it('should offer nothing but signing out to a user without a role', async () => {
    const window = await openWindow(browser, { url: countersign.url, token: await tokenOf(STRANGER) });
    for (const address of new Set(PLACES.map(({ at }) => at(server.made)))) {
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
    expect(Object.fromEntries(guardedOperations().map((operation) => [operation, roleOf(operation)]))).to.deep.equal(
      MIN_ROLES,
    );
    const tested = new Set(PLACES.flatMap(({ actions }) => actions.map(({ operation }) => operation)));
    expect(
      guardedOperations().filter(
        (operation) =>
          !tested.has(operation) && !ASKED_BY_ITSELF.includes(operation) && TESTED_ELSEWHERE[operation] === undefined,
      ),
    ).to.deep.equal([]);
  });

  it('should refuse every request that a role may not send, without any effect', async () => {
    // given
    const faults: string[] = [];
    const { spare, simple, questionId } = server.made;
    for (const role of [STRANGER, ...ROLES] as const) {
      const authorization = `Bearer ${await tokenOf(role)}`;
      for (const { route, real, nowhere, init } of guardedRequests(server.made)) {
        const may = role !== STRANGER && hasRole(role, route.role);
        // when
        const response = await fetch(countersign.url + (may ? nowhere : real), {
          ...init,
          headers: { ...init.headers, authorization },
        });
        // then
        const refused = response.status === 403 && ((await response.json()) as Problem).code === 'forbidden';
        if (!response.bodyUsed) await response.body?.cancel();
        if (refused === may) faults.push(`${role} ${route.operationId}: ${response.status}`);
      }
    }
    expect(faults).to.deep.equal([]);
    const viewer = await countersign.client('viewer');
    expect(await viewer.getRun({ runId: spare.runId })).to.include({ outcome: null });
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
