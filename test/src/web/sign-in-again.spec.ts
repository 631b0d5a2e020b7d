import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import {
  buildAuthConfiguration,
  openIssuerWindow,
  signInAtIssuer,
  startIssuer,
  type TestIssuer,
} from './oidc-issuer.spec.support.js';
import { changeStoredUser } from './stored-user.spec.support.js';
import { expectAccessible, expectCount, hasBrowser, launchBrowser, type Window } from './web.spec.support.js';

(hasBrowser() ? describe : describe.skip)(
  'web: signing in and signing in again with an OIDC issuer under a base path',
  function () {
    this.timeout(60_000);
    let countersign: TestHost;
    let issuer: TestIssuer;
    let browser: Browser;
    let window: Window;
    let page: Page;

    before(async () => {
      [issuer, browser] = await Promise.all([startIssuer(), launchBrowser()]);
      countersign = await createTestHost({
        configuration: { Auth: buildAuthConfiguration(issuer), Server: { BasePath: '/ops/flows' } },
      });
      await issuer.register(countersign.url);
    });

    after(async () => {
      await browser?.close();
      await countersign?.close();
      await issuer?.close();
    });

    beforeEach(async () => {
      window = await openIssuerWindow(browser, countersign.url, issuer);
      ({ page } = window);
    });

    afterEach(() => window.close());

    async function signIn(path: string): Promise<void> {
      await page.goto(`${countersign.url}${path}`);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await signInAtIssuer(page, 'olga');
      await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
    }
    /** Makes the token expire, so that it must be renewed. */
    const expireToken = (): Promise<void> => changeStoredUser(page, { expires_at: 1 });
    const refuseRenewal = (): Promise<unknown> =>
      page.route(`${issuer.url}/token`, (route) =>
        route.fulfill({
          status: 400,
          headers: { 'access-control-allow-origin': '*' },
          contentType: 'application/json',
          body: '{"error":"invalid_grant"}',
        }),
      );
    const search = () => page.getByRole('searchbox', { name: 'Search' });
    const dialog = () => page.getByRole('dialog', { name: 'Your session has ended' });

    it('should return to the requested page under the base path, even if the callback link is opened again', async () => {
      // given
      const addresses: string[] = [];
      page.on('framenavigated', (frame) => addresses.push(frame.url()));
      // when
      await signIn('/runs?status=failed&q=x');
      // then
      expect(countersign.url).to.match(/\/ops\/flows$/);
      expect(page.url()).to.equal(`${countersign.url}/runs?status=failed&q=x`);
      await page.locator('[data-live="live"]').waitFor();
      // when
      const callback = addresses.find(
        (address) => address.startsWith(`${countersign.url}/sign-in/callback?`) && address.includes('code='),
      );
      await page.goto(callback ?? 'about:blank');
      // then
      await page.getByRole('button', { name: 'olga · Operator' }).waitFor();
      expect(page.url()).to.equal(`${countersign.url}/runs?status=failed&q=x`);
    });

    it('should explain that the issuer refused the sign-in or cannot be reached, and let the user sign in again', async () => {
      // given
      await window.context.route(`${issuer.url}/**`, (route) => route.abort());
      await page.goto(`${countersign.url}/runs`);
      // when
      await page.getByRole('button', { name: 'Sign in' }).click();
      // then
      await page.getByRole('alert').getByText('The issuer can’t be reached.').waitFor();
      await expectAccessible(page);
      await window.context.unroute(`${issuer.url}/**`);
      // when
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('link', { name: /Cancel/ }).click();
      // then
      await page.getByRole('alert').getByText('The issuer refused the sign-in, or you cancelled it.').waitFor();
      await page.getByRole('button', { name: 'Sign in again' }).click();
      await page.getByRole('heading', { name: 'Sign in to Countersign' }).waitFor();
      expect(page.url()).to.match(/\/ops\/flows\//);
    });

    it('should keep the page while the issuer does not respond to a renewal, and continue on retry', async () => {
      // given
      await signIn('/runs');
      await page.locator('[data-live="live"]').waitFor();
      await window.context.route(`${issuer.url}/**`, (route) => route.abort());
      await expireToken();
      // when
      await search().fill('half a sentence');
      // then
      await page.getByText('the issuer is not responding').first().waitFor();
      await page.getByRole('alert').getByText('the issuer is not responding').waitFor();
      await expectAccessible(page);
      await expectCount(dialog(), 0);
      // when
      await window.context.unroute(`${issuer.url}/**`);
      await page.getByRole('button', { name: 'Try again' }).click();
      // then
      await page.getByText('No matching runs').waitFor();
      expect(await search().inputValue()).to.equal('half a sentence');
    });

    it('should keep the page and its input when the session ends, and continue after another sign-in', async () => {
      // given
      await signIn('/runs');
      await search().fill('half a sent');
      await page.waitForURL(/q=half/);
      await refuseRenewal();
      await expireToken();
      // when
      await search().fill('half a sentence');
      await dialog().waitFor();
      await window.context.route(`${issuer.url}/**`, (route) => route.abort());
      const [popup] = await Promise.all([
        window.context.waitForEvent('page'),
        dialog().getByRole('button', { name: 'Sign in' }).click(),
      ]);
      // then
      await dialog().getByRole('alert').getByText('The issuer can’t be reached.').waitFor();
      await expectAccessible(page);
      if (!popup.isClosed()) await popup.waitForEvent('close');
      // when: the issuer is reachable again, and still knows the user
      await window.context.unroute(`${issuer.url}/**`);
      await page.unroute(`${issuer.url}/token`);
      await dialog().getByRole('button', { name: 'Sign in' }).click();
      // then
      await dialog().waitFor({ state: 'detached' });
      expect(await search().inputValue()).to.equal('half a sentence');
      await page.getByText('No matching runs').waitFor();
      await page.waitForFunction(() => document.activeElement === document.querySelector('input[type="search"]'));
    });

    it('should require a login at the issuer if its session has also ended', async () => {
      // given
      await signIn('/runs');
      await search().fill('half a sent');
      await page.waitForURL(/q=half/);
      await refuseRenewal();
      await window.context.clearCookies();
      await expireToken();
      // when
      await search().fill('half a sentence');
      await dialog().waitFor();
      await page.unroute(`${issuer.url}/token`);
      const [secondTab] = await Promise.all([
        window.context.waitForEvent('page'),
        dialog().getByRole('button', { name: 'Sign in' }).click(),
      ]);
      await signInAtIssuer(secondTab, 'olga');
      // then
      await dialog().waitFor({ state: 'detached' });
      expect(await search().inputValue()).to.equal('half a sentence');
      await page.getByText('No matching runs').waitFor();
    });
  },
);
