import { createTestHost, currentTime, waitUntil, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
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

(hasBrowser() ? describe : describe.skip)('web: signing in despite errors', () => {
  let countersign: TestHost;
  let issuer: TestIssuer;
  let browser: Browser;
  let window: Window;
  let context: BrowserContext;
  let page: Page;

  before(async () => {
    [issuer, browser] = await Promise.all([startIssuer(), launchBrowser()]);
    issuer.roles = ['approver'];
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
    ({ context, page } = window);
  });

  afterEach(() => window.close());

  const signIn = async (login: string): Promise<void> => {
    await page.goto(`${countersign.url}/runs`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await signInAtIssuer(page, login);
    await userMenu(login).waitFor();
  };
  const userMenu = (login: string) => page.getByRole('button', { name: new RegExp(`^${login} ·`) });
  const dialog = () => page.getByRole('dialog', { name: 'Your session has ended' });
  /** Makes the page load runs with a token that the server accepts. */
  const search = (text: string): Promise<unknown> =>
    Promise.all([
      page.waitForResponse((response) => response.ok() && response.url().includes(`q=${text}`)),
      page.getByRole('searchbox', { name: 'Search' }).fill(text),
    ]);
  const signOut = async (login: string): Promise<void> => {
    await userMenu(login).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: /Yes/ }).click();
    await page.getByRole('heading', { name: 'Sign in to Countersign' }).waitFor();
  };
  /** Changes the token responses of the issuer. */
  const changeTokenResponse = (
    change: (tokens: Record<string, unknown>) => Record<string, unknown>,
  ): Promise<unknown> =>
    context.route(`${issuer.url}/token`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: change((await response.json()) as Record<string, unknown>) });
    });
  const respondUnauthorized = (route: Route): Promise<void> =>
    route.fulfill({ status: 401, contentType: 'application/json', body: '{}' });

  it('should never repeat a request of one user with the token of another user', async () => {
    // given: olga saves her absence, the server has not responded yet, and her page polls every few seconds
    await context.route(`${countersign.url}/api/events*`, (route) => route.abort());
    await signIn('olga');
    const senders: string[] = [];
    let releaseResponse: () => void = () => undefined;
    const responseReleased = new Promise<void>((resolve) => (releaseResponse = resolve));
    await page.route(`${countersign.url}/api/me/absence`, async (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      senders.push(readSubject(route.request().headers()['authorization']));
      await responseReleased;
      await respondUnauthorized(route);
    });
    await userMenu('olga').click();
    await page.getByRole('menuitem', { name: 'Out of office' }).click();
    const absence = page.getByRole('dialog', { name: 'Out of office' });
    const absentUntil = new Date(currentTime() + 3 * 86_400_000).toISOString().slice(0, 16);
    await absence.getByLabel('Away until').fill(absentUntil);
    await absence.getByLabel('Substitute').fill('dora');
    await Promise.all([
      page.waitForRequest((request) => request.method() === 'PUT'),
      absence.getByRole('button', { name: 'Save' }).click(),
    ]);
    // when: her session ends, and petra signs in on the same page
    await changeStoredUser(page, { access_token: 'ended', refresh_token: null });
    await context.clearCookies();
    await dialog().waitFor();
    const [secondTab] = await Promise.all([
      context.waitForEvent('page'),
      dialog().getByRole('button', { name: 'Sign in' }).click(),
    ]);
    await signInAtIssuer(secondTab, 'petra');
    await userMenu('petra').waitFor();
    await Promise.all([
      page.waitForResponse((response) => response.request().method() === 'PUT' && response.status() === 401),
      releaseResponse(),
    ]);
    await search('after');
    // then
    expect(senders).to.deep.equal(['olga']);
    await expectCount(dialog(), 0);
  });

  it('should keep a valid token if a renewal response contains no token', async () => {
    await signIn('olga');
    await installClock(page);
    await userMenu('olga').waitFor();
    let renewals = 0;
    await changeTokenResponse(() => {
      renewals += 1;
      return {};
    });
    const before = await readStoredUser(page);
    await context.clock.fastForward('41:00');
    await search('a');
    await waitUntil('the token is renewed', () => renewals === 1);
    await search('b');
    expect((await readStoredUser(page))?.access_token).to.equal(before?.access_token);
    await expectCount(dialog(), 0);
  });

  it('should keep the refresh token if a renewal response contains no new one', async () => {
    await signIn('olga');
    await installClock(page);
    await userMenu('olga').waitFor();
    const before = await readStoredUser(page);
    await changeTokenResponse((tokens) => ({ ...tokens, refresh_token: null }));
    await context.clock.fastForward('01:01:00');
    await search('a');
    const after = await readStoredUser(page);
    expect(after?.access_token).not.to.equal(before?.access_token);
    expect(after?.refresh_token).to.equal(before?.refresh_token);
  });

  it('should lose no tokens if the session storage of the tab is full', async () => {
    await signIn('olga');
    await installClock(page);
    await userMenu('olga').waitFor();
    await page.evaluate(() => {
      for (let size = 2 ** 22, text = ''; size >= 1;)
        try {
          sessionStorage.setItem('fill', text + 'x'.repeat(size));
          text += 'x'.repeat(size);
        } catch {
          size = Math.floor(size / 2);
        }
    });
    await changeTokenResponse((tokens) => ({ ...tokens, session_state: 'longer than before' }));
    const before = await readStoredUser(page);
    await context.clock.fastForward('01:01:00');
    await search('a');
    expect(await readStoredUser(page), 'the storage is full').to.deep.equal(before);
    await page.evaluate(() => sessionStorage.removeItem('fill'));
    await search('b');
    expect((await readStoredUser(page))?.refresh_token).not.to.equal(before?.refresh_token);
    await context.clock.fastForward('01:01:00');
    await search('c');
    await expectCount(dialog(), 0);
  });

  it('should renew tokens and sign out even if IndexedDB is blocked', async () => {
    // given: another page keeps the database open while its deletion is pending
    const blockingPage = await context.newPage();
    await blockingPage.goto(`${countersign.url}/api/health`);
    await blockingPage.evaluate(async () => {
      const opening = indexedDB.open('countersign:sign-ins:/', 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore('tokens');
      await new Promise((resolve) => (opening.onsuccess = resolve));
      indexedDB.deleteDatabase('countersign:sign-ins:/');
    });
    await signIn('olga');
    await installClock(page);
    await userMenu('olga').waitFor();
    await page.bringToFront();
    const before = await readStoredUser(page);
    await context.clock.fastForward('01:01:00');
    // when
    await search('a');
    // then
    expect((await readStoredUser(page))?.access_token).not.to.equal(before?.access_token);
    // when
    await signOut('olga');
    // then
    expect(await readStoredUser(page)).to.equal(undefined);
  });

  it('should remove tokens stored by an earlier version', async () => {
    await page.goto(`${countersign.url}/runs`);
    await page.evaluate(() => sessionStorage.setItem('oidc.user:https://issuer:ui', '{"refresh_token":"old"}'));
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in to Countersign' }).waitFor();
    expect(await page.evaluate(() => ({ ...sessionStorage }))).to.deep.equal({});
  });
});

/** Returns the subject of a bearer token. */
function readSubject(authorization: string | undefined): string {
  const [, payload = ''] = (authorization ?? '').split('.');
  return String((JSON.parse(Buffer.from(payload, 'base64url').toString()) as { readonly sub?: unknown }).sub);
}
