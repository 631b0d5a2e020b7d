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
    let first: Page;
    /** Token requests since the sign-in. */
    let renewals: number;

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
      ({ context, page: first } = window);
      await first.goto(`${countersign.url}/runs`);
      await first.getByRole('button', { name: 'Sign in' }).click();
      await signInAtIssuer(first, 'olga');
      await expectSignedIn(first);
      // Installed after the pages of the issuer, which must not be affected.
      await installClock(first);
      await expectSignedIn(first);
      renewals = 0;
      context.on('request', (request) => {
        if (request.url() === `${issuer.url}/token` && request.method() === 'POST') renewals += 1;
      });
    });

    afterEach(() => window.close());

    /** Opens another tab with a copy of the first tab's storage, as a browser does that duplicates it. */
    const duplicateTab = async (): Promise<Page> => {
      const [page] = await Promise.all([
        context.waitForEvent('page'),
        first.evaluate(() => void globalThis.open(location.href)),
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
    /** Makes a page load runs, and waits for them and for a renewal that this may start. */
    const search = async (page: Page, text: string): Promise<void> => {
      await Promise.all([
        page.waitForResponse((response) => response.ok() && response.url().includes(`q=${text}`)),
        page.getByRole('searchbox', { name: 'Search' }).fill(text),
      ]);
      await waitUntilRenewed(page);
    };
    /** Advances the time while no page runs in the tabs, as a page left during a renewal loses its tokens. */
    const sleepUntil = async (time: string, ...pages: readonly Page[]): Promise<void> => {
      await Promise.all(pages.map((page) => page.goto(`${countersign.url}/api/health`)));
      await context.clock.fastForward(time);
    };
    const waitUntilRenewed = (page: Page): Promise<true> =>
      waitUntil('no tab renews', () =>
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
        const second = await duplicateTab();
        for (const round of [1, 2, 3]) {
          // when
          await sleepUntil(time, first, second);
          await Promise.all([load(first), load(second)]);
          await waitUntilRenewed(first);
          // then
          expect(renewals).to.equal(round);
          const [one, other] = await Promise.all([readStoredUser(first), readStoredUser(second)]);
          expect(other).to.deep.equal(one);
        }
      });

    it('should keep a suspended tab signed in after another tab renewed the tokens and was closed', async () => {
      // given
      const second = await duplicateTab();
      for (const _round of [1, 2]) {
        await sleepUntil(TIME_UNTIL_RENEWAL, first, second);
        await load(second);
        await waitUntilRenewed(second);
      }
      const newest = await readStoredUser(second);
      await second.close();
      expect((await readStoredUser(first))?.refresh_token).not.to.equal(newest?.refresh_token);
      // when
      await load(first);
      await waitUntilRenewed(first);
      // then
      expect(await readStoredUser(first)).to.deep.equal(newest);
      expect(renewals).to.equal(2);
      // when
      await sleepUntil(TIME_UNTIL_EXPIRY, first);
      await load(first);
      // then
      expect(renewals).to.equal(3);
    });

    it('should store tokens outside of the tabs only encrypted', async () => {
      await sleepUntil(TIME_UNTIL_RENEWAL, first);
      await load(first);
      // Tokens that are due, but not expired, are renewed beside the requests of the page.
      await waitUntil('the tokens are renewed', () => renewals === 1);
      await waitUntilRenewed(first);
      const stored = await first.evaluate(async () => {
        const request = indexedDB.open('countersign:sign-ins:/');
        await new Promise((resolve) => (request.onsuccess = resolve));
        const entries = request.result.transaction('tokens').objectStore('tokens').getAll();
        await new Promise((resolve) => (entries.onsuccess = resolve));
        request.result.close();
        return (entries.result as { data: ArrayBuffer }[]).map(({ data }) => new TextDecoder('latin1').decode(data));
      });
      const user = await readStoredUser(first);
      expect(stored).to.have.lengthOf(1);
      expect(stored[0]?.length).to.be.greaterThan(user?.access_token.length ?? 0);
      for (const secret of [user?.access_token, user?.refresh_token, 'access_token'])
        expect(stored[0]).not.to.contain(secret);
      const { held = [] } = await first.evaluate(() => navigator.locks.query());
      const key = await first.evaluate(
        () => (JSON.parse(sessionStorage['countersign:sign-in:/']) as { key: string }).key,
      );
      for (const { name } of held) expect(name).not.to.contain(key);
    });

    it('should not renew tokens in one tab after the user signed out in another tab', async () => {
      // given
      const second = await duplicateTab();
      await first.getByRole('button', { name: 'olga · Operator' }).click();
      await first.getByRole('menuitem', { name: 'Sign out' }).click();
      await first.getByRole('button', { name: /Yes/ }).click();
      await first.getByRole('heading', { name: 'Sign in to Countersign' }).waitFor();
      // when
      await context.clock.fastForward(TIME_UNTIL_EXPIRY);
      await second.getByRole('searchbox', { name: 'Search' }).fill('more');
      // then
      await dialog(second).waitFor();
      await waitUntilRenewed(second);
      expect(renewals).to.equal(0);
    });

    it('should abandon a renewal in one tab if the user signs out in another tab before it completes', async () => {
      // given
      const second = await duplicateTab();
      // Expired in this tab only: both tabs share the clock, and the first would renew as well, perhaps before this one.
      await second.goto(`${countersign.url}/api/health`);
      await changeStoredUser(second, { expires_at: Math.floor(currentTime() / 1_000) - 1 });
      let respond: () => void = () => undefined;
      const signedOut = new Promise<void>((resolve) => (respond = resolve));
      await second.route(`${issuer.url}/token`, async (route) => {
        const response = await route.fetch();
        await signedOut;
        await route.fulfill({ response });
      });
      const [, renewal] = await Promise.all([
        second.goto(`${countersign.url}/runs`),
        second.waitForRequest((request) => request.url() === `${issuer.url}/token` && request.method() === 'POST'),
      ]);
      // when
      await first.getByRole('button', { name: 'olga · Operator' }).click();
      await first.getByRole('menuitem', { name: 'Sign out' }).click();
      await first.getByRole('button', { name: /Yes/ }).click();
      await first.getByRole('heading', { name: 'Sign in to Countersign' }).waitFor();
      respond();
      // then
      await second.getByRole('heading', { name: 'Sign in to Countersign' }).waitFor();
      expect(renewal.failure()).to.equal(null);
      expect(await readStoredUser(second)).to.equal(undefined);
      await second.reload();
      await second.getByRole('heading', { name: 'Sign in to Countersign' }).waitFor();
      expect(renewals).to.equal(1);
    });

    it('should renew a refused token once for both tabs, and repeat the requests', async () => {
      const second = await duplicateTab();
      for (const page of [first, second]) await changeStoredUser(page, { access_token: 'refused' });
      // when
      await Promise.all([search(first, 'more'), search(second, 'more')]);
      // then
      expect(renewals).to.equal(1);
      for (const page of [first, second]) await expectCount(dialog(page), 0);
    });

    it('should end the session if the server also refuses the renewed token', async () => {
      await context.route(`${countersign.url}/api/runs?**`, (route) =>
        route.fulfill({ status: 401, contentType: 'application/json', body: '{}' }),
      );
      await first.getByRole('searchbox', { name: 'Search' }).fill('more');
      await dialog(first).waitFor();
      expect(renewals).to.equal(1);
    });

    it('should pause renewals after the issuer failed to renew a token that is still valid', async () => {
      // given: the clock is stopped, so that the pause does not end
      await context.route(`${issuer.url}/token`, (route) => route.fulfill({ status: 503, body: 'Later.' }));
      await context.clock.setFixedTime(currentTime() + 41 * 60_000);
      // when
      for (const text of ['a', 'b', 'c']) await search(first, text);
      // then
      expect(renewals).to.equal(1);
      // when
      await context.clock.setFixedTime(currentTime() + 42 * 60_000);
      await search(first, 'd');
      // then
      expect(renewals).to.equal(2);
      await expectCount(dialog(first), 0);
    });
  },
);
