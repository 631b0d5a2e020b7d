import { createTestHost, currentTime, waitUntil, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import {
  buildAuthConfiguration,
  installClock,
  openIssuerWindow,
  signInAtIssuer,
  startIssuer,
  type TestIssuer,
} from './oidc-issuer.spec.support.js';
import { changeStoredUser, readStoredUser } from './stored-user.spec.support.js';
import { expectCount, hasBrowser, launchBrowser, type Window } from './web.spec.support.js';

/** Tokens are valid for an hour, and due for renewal after 40 minutes. */
const TIME_UNTIL_RENEWAL = '41:00';
const TIME_UNTIL_EXPIRY = '01:01:00';

(hasBrowser() ? describe : describe.skip)(
  'web: two tabs with one sign-in at an issuer that rotates refresh tokens',
  () => {
    let countersign: TestHost;
    let issuer: TestIssuer;
    let browser: Browser;
    let window: Window;
    let context: BrowserContext;
    let firstTab: Page;
    /** Number of token requests since the sign-in. */
    let renewalCount: number;

    before(async () => {
      [issuer, browser] = await Promise.all([startIssuer(), launchBrowser()]);
      countersign = await createTestHost({ configuration: { Auth: buildAuthConfiguration(issuer) } });
      await issuer.register(countersign.url);
    });

    after(async () => {
      await browser?.close();
      await countersign?.close();
      await issuer?.close();
    });

    beforeEach(async () => {
      window = await openIssuerWindow(browser, countersign.url, issuer);
      ({ context, page: firstTab } = window);
      await firstTab.goto(`${countersign.url}/runs`);
      await firstTab.getByRole('button', { name: 'Sign in' }).click();
      await signInAtIssuer(firstTab, 'olga');
      await expectSignedIn(firstTab);
      // Installed after the pages of the issuer, which must not be affected.
      await installClock(firstTab);
      await expectSignedIn(firstTab);
      renewalCount = 0;
      context.on('request', (request) => {
        if (request.url() === `${issuer.url}/token` && request.method() === 'POST') renewalCount += 1;
      });
    });

    afterEach(() => window.close());

    /** Opens another tab with a copy of the first tab's storage, as a browser does when the user duplicates a tab. */
    const duplicateTab = async (): Promise<Page> => {
      const [page] = await Promise.all([
        context.waitForEvent('page'),
        firstTab.evaluate(() => void globalThis.open(location.href)),
      ]);
      await expectSignedIn(page);
      return page;
    };
    const expectSignedIn = (page: Page): Promise<void> =>
      page.getByRole('button', { name: 'olga · Operator' }).waitFor();
    const dialog = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' });
    const load = async (page: Page): Promise<void> => {
      await page.goto(`${countersign.url}/runs`);
      await expectSignedIn(page);
    };
    /** Searches the runs, and waits for the response and for a token renewal that the request may start. */
    const search = async (page: Page, query: string): Promise<void> => {
      await Promise.all([
        page.waitForResponse((response) => response.ok() && response.url().includes(`q=${query}`)),
        page.getByRole('searchbox', { name: 'Search' }).fill(query),
      ]);
      await waitForPendingRenewals(page);
    };
    /**
     * Advances the clock while no page of the web UI is open in the tabs: a page left during a renewal loses its
     * tokens.
     */
    const sleepFor = async (duration: string, ...pages: readonly Page[]): Promise<void> => {
      await Promise.all(pages.map((page) => page.goto(`${countersign.url}/api/health`)));
      await context.clock.fastForward(duration);
    };
    const waitForPendingRenewals = (page: Page): Promise<true> =>
      waitUntil('no tab is renewing its tokens', () =>
        page.evaluate(async () => {
          const { held, pending } = await navigator.locks.query();
          return [...(held ?? []), ...(pending ?? [])].every(({ name }) => !name?.startsWith('countersign:sign-in:'));
        }),
      );

    for (const [state, time] of [
      ['due for renewal', TIME_UNTIL_RENEWAL],
      ['expired', TIME_UNTIL_EXPIRY],
    ] as const)
      it(`should renew tokens once for both tabs when they are ${state}`, async () => {
        const secondTab = await duplicateTab();
        for (const expectedCount of [1, 2, 3]) {
          // when
          await sleepFor(time, firstTab, secondTab);
          await Promise.all([load(firstTab), load(secondTab)]);
          await waitForPendingRenewals(firstTab);
          // then
          expect(renewalCount).to.equal(expectedCount);
          const [firstUser, secondUser] = await Promise.all([readStoredUser(firstTab), readStoredUser(secondTab)]);
          expect(secondUser).to.deep.equal(firstUser);
        }
      });

    it('should keep a suspended tab signed in after another tab renewed the tokens and was closed', async () => {
      // given
      const secondTab = await duplicateTab();
      for (const _renewal of [1, 2]) {
        await sleepFor(TIME_UNTIL_RENEWAL, firstTab, secondTab);
        await load(secondTab);
        await waitForPendingRenewals(secondTab);
      }
      const newestUser = await readStoredUser(secondTab);
      await secondTab.close();
      expect((await readStoredUser(firstTab))?.refresh_token).not.to.equal(newestUser?.refresh_token);
      // when
      await load(firstTab);
      await waitForPendingRenewals(firstTab);
      // then
      expect(await readStoredUser(firstTab)).to.deep.equal(newestUser);
      expect(renewalCount).to.equal(2);
      // when
      await sleepFor(TIME_UNTIL_EXPIRY, firstTab);
      await load(firstTab);
      // then
      expect(renewalCount).to.equal(3);
    });

    it('should encrypt the tokens that it stores outside the tabs', async () => {
      await sleepFor(TIME_UNTIL_RENEWAL, firstTab);
      await load(firstTab);
      // Tokens that are due for renewal but not expired are renewed concurrently with the requests of the page.
      await waitUntil('the tokens are renewed', () => renewalCount === 1);
      await waitForPendingRenewals(firstTab);
      const storedEntries = await firstTab.evaluate(async () => {
        const request = indexedDB.open('countersign:sign-ins:/');
        await new Promise((resolve) => (request.onsuccess = resolve));
        const entriesRequest = request.result.transaction('tokens').objectStore('tokens').getAll();
        await new Promise((resolve) => (entriesRequest.onsuccess = resolve));
        request.result.close();
        return (entriesRequest.result as { data: ArrayBuffer }[]).map(({ data }) =>
          new TextDecoder('latin1').decode(data),
        );
      });
      const user = await readStoredUser(firstTab);
      expect(storedEntries).to.have.lengthOf(1);
      expect(storedEntries[0]?.length).to.be.greaterThan(user?.access_token.length ?? 0);
      for (const secret of [user?.access_token, user?.refresh_token, 'access_token'])
        expect(storedEntries[0]).not.to.contain(secret);
      const { held = [] } = await firstTab.evaluate(() => navigator.locks.query());
      const key = await firstTab.evaluate(
        () => (JSON.parse(sessionStorage['countersign:sign-in:/']) as { key: string }).key,
      );
      for (const { name } of held) expect(name).not.to.contain(key);
    });

    it('should not renew tokens in one tab after the user signed out in another tab', async () => {
      // given
      const secondTab = await duplicateTab();
      await firstTab.getByRole('button', { name: 'olga · Operator' }).click();
      await firstTab.getByRole('menuitem', { name: 'Sign out' }).click();
      await firstTab.getByRole('button', { name: /Yes/ }).click();
      await firstTab.getByRole('heading', { name: 'Sign in to Countersign' }).waitFor();
      // when
      await context.clock.fastForward(TIME_UNTIL_EXPIRY);
      await secondTab.getByRole('searchbox', { name: 'Search' }).fill('more');
      // then
      await dialog(secondTab).waitFor();
      await waitForPendingRenewals(secondTab);
      expect(renewalCount).to.equal(0);
    });

    it('should abandon a renewal in one tab if the user signs out in another tab before it completes', async () => {
      // given
      const secondTab = await duplicateTab();
      // The tokens expire in the second tab only: the tabs share the clock, so the first tab would also renew, perhaps
      // earlier.
      await secondTab.goto(`${countersign.url}/api/health`);
      await changeStoredUser(secondTab, { expires_at: Math.floor(currentTime() / 1_000) - 1 });
      let respond: () => void = () => undefined;
      const signedOut = new Promise<void>((resolve) => (respond = resolve));
      await secondTab.route(`${issuer.url}/token`, async (route) => {
        const response = await route.fetch();
        await signedOut;
        await route.fulfill({ response });
      });
      const [, renewal] = await Promise.all([
        secondTab.goto(`${countersign.url}/runs`),
        secondTab.waitForRequest((request) => request.url() === `${issuer.url}/token` && request.method() === 'POST'),
      ]);
      // when
      await firstTab.getByRole('button', { name: 'olga · Operator' }).click();
      await firstTab.getByRole('menuitem', { name: 'Sign out' }).click();
      await firstTab.getByRole('button', { name: /Yes/ }).click();
      await firstTab.getByRole('heading', { name: 'Sign in to Countersign' }).waitFor();
      respond();
      // then
      await secondTab.getByRole('heading', { name: 'Sign in to Countersign' }).waitFor();
      expect(renewal.failure()).to.equal(null);
      expect(await readStoredUser(secondTab)).to.equal(undefined);
      await secondTab.reload();
      await secondTab.getByRole('heading', { name: 'Sign in to Countersign' }).waitFor();
      expect(renewalCount).to.equal(1);
    });

    it('should renew a refused token once for both tabs, and repeat the requests', async () => {
      const secondTab = await duplicateTab();
      for (const page of [firstTab, secondTab]) await changeStoredUser(page, { access_token: 'refused' });
      // when
      await Promise.all([search(firstTab, 'more'), search(secondTab, 'more')]);
      // then
      expect(renewalCount).to.equal(1);
      for (const page of [firstTab, secondTab]) await expectCount(dialog(page), 0);
    });

    it('should end the session if the server also refuses the renewed token', async () => {
      await context.route(`${countersign.url}/api/runs?**`, (route) =>
        route.fulfill({ status: 401, contentType: 'application/json', body: '{}' }),
      );
      await firstTab.getByRole('searchbox', { name: 'Search' }).fill('more');
      await dialog(firstTab).waitFor();
      expect(renewalCount).to.equal(1);
    });

    it('should pause renewals after the issuer failed to renew a token that is still valid', async () => {
      // given: the clock is stopped, so that the pause does not end
      await context.route(`${issuer.url}/token`, (route) => route.fulfill({ status: 503, body: 'Later.' }));
      await context.clock.setFixedTime(currentTime() + 41 * 60_000);
      // when
      for (const query of ['a', 'b', 'c']) await search(firstTab, query);
      // then
      expect(renewalCount).to.equal(1);
      // when
      await context.clock.setFixedTime(currentTime() + 42 * 60_000);
      await search(firstTab, 'd');
      // then
      expect(renewalCount).to.equal(2);
      await expectCount(dialog(firstTab), 0);
    });
  },
);
