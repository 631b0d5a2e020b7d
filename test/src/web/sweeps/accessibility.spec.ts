import { expect } from 'chai';
import type { TestHost } from '@countersign/testing';
import type { Role } from '@countersign/contract';
import type { Browser, Page } from 'playwright-core';
import { findFocusErrors, findAnimations, findReflowErrors, withZoom } from '../page-checks.spec.support.js';
import { PopulatedServer } from '../populated-server.spec.support.js';
import { listOpeningSources, listRouterPaths, type View } from '../view.spec.support.js';
import { RUN_DETAIL_VIEWS } from '../run-views.spec.support.js';
import { APPROVAL_VIEWS } from '../approval-views.spec.support.js';
import { WORKFLOW_AND_POLICY_VIEWS } from '../workflow-and-policy-views.spec.support.js';
import { RUN_LIST_VIEWS } from '../run-list-views.spec.support.js';
import { SERVER_VIEWS } from '../server-views.spec.support.js';
import {
  changeColorScheme,
  hasBrowser,
  launchBrowser,
  openWindow,
  findViolations,
  type Window,
} from '../web.spec.support.js';

const VIEWS: readonly View[] = [
  ...RUN_LIST_VIEWS,
  ...RUN_DETAIL_VIEWS,
  ...APPROVAL_VIEWS,
  ...WORKFLOW_AND_POLICY_VIEWS,
  ...SERVER_VIEWS,
];

/** Source files of dialogs that only the desktop client opens, with the specs that check them. */
const TESTED_ELSEWHERE: Readonly<Record<string, string>> = {
  'inbox/snooze-dialog.tsx': 'desktop/presence-start.spec.ts',
  'signing-keys/key-notifications.tsx': 'web/key-notifications.spec.ts',
};

(hasBrowser() ? describe : describe.skip)('web: accessibility of every page in every state', function () {
  this.timeout(120_000);
  let browser: Browser;
  let server: PopulatedServer;
  let countersign: TestHost;
  const windows = new Map<string, Window>();
  /** The window titles of the pages, by route. */
  const titles = new Map<string, Set<string>>();
  const tabs = { offered: new Set<string>(), shown: new Set<string>() };

  before(async () => {
    browser = await launchBrowser();
    server = await PopulatedServer.start(browser);
    ({ countersign } = server);
  });

  after(async () => {
    await browser?.close();
    await server?.close();
  });

  async function getWindow({ viewer = 'admin', needsOwnWindow, name }: View): Promise<Window> {
    const key = needsOwnWindow === true ? name : viewer;
    const existingWindow = windows.get(key);
    if (existingWindow !== undefined) return existingWindow;
    const role = (viewer === 'stranger' ? 'guest' : viewer) as Role;
    const token =
      viewer === 'nobody'
        ? {}
        : { token: await countersign.token(role, { subject: viewer === 'admin' ? 'ada' : viewer }) };
    const window = await openWindow(browser, { url: countersign.url, ...token });
    windows.set(key, window);
    return window;
  }

  async function showView(page: Page, { path, mockApi, openView, expected }: View): Promise<void> {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await mockApi?.(page);
    await page.goto(countersign.url + path(server.data));
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    if (openView !== undefined) await openView(page, server.data);
    await expected(page).waitFor();
  }

  async function recordTitleAndTabs(page: Page, { route, isReplaced }: View): Promise<void> {
    if (isReplaced !== true) titles.set(route, (titles.get(route) ?? new Set()).add(await page.title()));
    const tabsOnPage = await page
      .getByRole('tab')
      .evaluateAll((each) =>
        each.map(
          (tab) =>
            [tab.textContent?.replace(/\d+/g, '').trim() ?? '', tab.getAttribute('aria-selected') === 'true'] as const,
        ),
      );
    for (const [name, isShown] of tabsOnPage) {
      tabs.offered.add(`${route}: ${name}`);
      if (isShown) tabs.shown.add(`${route}: ${name}`);
    }
  }

  for (const view of VIEWS) {
    it(`should be accessible in both colour schemes and at 400 % zoom: ${view.name}`, async () => {
      const { page } = await getWindow(view);
      await showView(page, view);
      await recordTitleAndTabs(page, view);
      const light = await findViolations(page);
      await changeColorScheme(page, 'dark');
      const dark = await findViolations(page);
      await changeColorScheme(page, 'light');
      const otherErrors = [
        ...(await findAnimations(page)),
        ...(await findFocusErrors(page)),
        ...(await withZoom(page, async () => [
          ...(await findReflowErrors(page)),
          ...(await findFocusErrors(page)).map((each) => `at 400 %: ${each}`),
        ])),
      ];
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      const errors = [...light.map((each) => `light: ${each}`), ...dark.map((each) => `dark: ${each}`), ...otherErrors];
      if (errors.length > 0) expect.fail([...new Set(errors)].join('\n'));
    });
  }

  it('should cover every route of the router', () => {
    expect([...new Set(VIEWS.map(({ route }) => route))].sort()).to.deep.equal([...new Set(listRouterPaths())].sort());
  });

  it('should cover every dialog, drawer and menu', () => {
    expect(
      [...new Set([...VIEWS.flatMap(({ opens = [] }) => opens), ...Object.keys(TESTED_ELSEWHERE)])].sort(),
    ).to.deep.equal(listOpeningSources());
  });

  it('should cover every tab that the pages offer', () => {
    expect([...tabs.offered].filter((tab) => !tabs.shown.has(tab))).to.deep.equal([]);
  });

  it('should show a unique title on every route', () => {
    const routesByTitle = new Map<string, string[]>();
    for (const [route, names] of titles)
      for (const name of names) routesByTitle.set(name, [...(routesByTitle.get(name) ?? []), route]);
    expect([...routesByTitle].filter(([name, routes]) => name.trim() === '' || routes.length > 1)).to.deep.equal([]);
  });

  it('should cause no CSP violations, external requests or unexpected script errors', async () => {
    const expected = /null \(reading|properties of null/;
    for (const { context, faults } of windows.values()) {
      await context.close();
      expect(faults.filter((fault) => !expected.test(fault))).to.deep.equal([]);
    }
  });
});
