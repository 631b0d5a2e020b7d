import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import {
  buildAuthConfiguration,
  CLIENT_ID,
  openIssuerWindow,
  signInAtIssuer,
  startIssuer,
  type TestIssuer,
} from './oidc-issuer.spec.support.js';
import { changeStoredUser, readStoredUser } from './stored-user.spec.support.js';
import { expectAccessible, hasBrowser, launchBrowser, type Window } from './web.spec.support.js';

(hasBrowser() ? describe : describe.skip)('web: signing in with an OIDC issuer', () => {
  let countersign: TestHost;
  let issuer: TestIssuer;
  let browser: Browser;

  before(async () => {
    [issuer, browser] = await Promise.all([startIssuer(), launchBrowser()]);
    countersign = await createTestHost({ configuration: { Auth: buildAuthConfiguration(issuer) } });
    await issuer.register(countersign.url);
  });

  beforeEach(() => {
    issuer.accessTokenSeconds = 3_600;
    issuer.roles = ['operator'];
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
    await issuer?.close();
  });

  const open = (): Promise<Window> => openIssuerWindow(browser, countersign.url, issuer);
  const signIn = async (page: Page, path: string, login = 'olga'): Promise<void> => {
    await page.goto(`${countersign.url}${path}`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await signInAtIssuer(page, login);
  };

  it('should return to the requested page, and keep tokens out of addresses and local storage', async () => {
    const { page, close } = await open();
    const addresses: string[] = [];
    page.on('framenavigated', (frame) => addresses.push(frame.url()));
    await page.goto(`${countersign.url}/runs?status=failed&q=x`);
    await page.getByRole('heading', { name: 'Sign in to Countersign' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await signInAtIssuer(page, 'olga');
    // then
    await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
    expect(page.url()).to.equal(`${countersign.url}/runs?status=failed&q=x`);
    await page.getByRole('button', { name: 'olga · Operator' }).waitFor();
    const token = (await readStoredUser(page))?.access_token;
    expect(token).to.match(/^ey/);
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.to.contain('ey');
    for (const address of addresses) expect(address).not.to.contain(token);
    // going back does not lead to the code
    await page.goBack().catch(() => undefined);
    expect(page.url()).not.to.contain('code=');
    await close();
  });

  it('should refuse a callback with a state that this browser did not create', async () => {
    const { page, close } = await open();
    await page.goto(`${countersign.url}/sign-in/callback?code=stolen&state=forged`);
    await page.getByRole('alert').getByText('This sign-in did not start in this window').waitFor();
    await expectAccessible(page);
    expect(page.url()).to.equal(`${countersign.url}/sign-in/callback`);
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await page.getByRole('heading', { name: 'Sign in to Countersign' }).waitFor();
    await close();
  });

  it('should ignore a forged callback link of a signed-in user, and not send its code to the issuer', async () => {
    const { page, context, close } = await open();
    await signIn(page, '/runs');
    await page.getByRole('button', { name: 'olga · Operator' }).waitFor();
    const before = await readStoredUser(page);
    let tokenRequestCount = 0;
    context.on('request', (request) => {
      if (request.url() === `${issuer.url}/token`) tokenRequestCount += 1;
    });
    // when
    await page.goto(`${countersign.url}/sign-in/callback?code=stolen&state=forged`);
    // then
    await page.waitForURL(`${countersign.url}/runs`);
    await page.getByRole('button', { name: 'olga · Operator' }).waitFor();
    expect(await readStoredUser(page)).to.deep.equal(before);
    expect(tokenRequestCount).to.equal(0);
    await close();
  });

  it('should explain that the issuer refused the sign-in', async () => {
    const { page, close } = await open();
    await page.goto(`${countersign.url}/runs`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: /Cancel/ }).click();
    await page.getByRole('alert').getByText('The issuer refused the sign-in, or you cancelled it.').waitFor();
    await close();
  });

  it('should report a user without a role, and also sign out at the issuer', async () => {
    issuer.roles = [];
    const { page, close } = await open();
    await signIn(page, '/runs');
    await page.getByRole('heading', { name: 'You have no role here' }).waitFor();
    await expectAccessible(page);
    const visited: string[] = [];
    page.on('framenavigated', (frame) => visited.push(frame.url()));
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: /Yes/ }).click();
    await page.getByRole('heading', { name: 'Sign in to Countersign' }).waitFor();
    expect(visited.some((address) => address.startsWith(`${issuer.url}/session/end`))).to.equal(true);
    for (const address of visited) expect(address).not.to.match(/id_token|eyJ/);
    // the issuer asks for the user again
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('input[name="login"]').waitFor();
    await close();
  });

  it('should revoke the refresh token at the issuer on signing out', async () => {
    const { page, close } = await open();
    await signIn(page, '/runs');
    await page.getByRole('button', { name: 'olga · Operator' }).click();
    const refreshToken = (await readStoredUser(page))?.refresh_token;
    expect(refreshToken).to.be.a('string');
    issuer.revokedTypes.length = 0;
    // when
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: /Yes/ }).click();
    await page.getByRole('heading', { name: 'Sign in to Countersign' }).waitFor();
    // then
    expect(issuer.revokedTypes).to.include('refresh_token');
    const body = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: CLIENT_ID,
      refresh_token: String(refreshToken),
    });
    expect(await (await fetch(`${issuer.url}/token`, { method: 'POST', body })).json()).to.include({
      error: 'invalid_grant',
    });
    await close();
  });

  it('should let the user sign in again over the page when the session ends, and keep the input', async () => {
    const { page, context, close } = await open();
    await signIn(page, '/runs');
    await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
    await page.locator('[data-live="live"]').waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('half a sent');
    await page.waitForURL((url) => url.searchParams.get('q') === 'half a sent');
    await page.getByText('No matching runs').waitFor();
    // given: the token is no longer accepted, and cannot be renewed
    await changeStoredUser(page, { access_token: 'ended', refresh_token: null });
    // when
    await page.getByRole('searchbox', { name: 'Search' }).fill('half a sentence');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    await expectAccessible(page);
    const [secondTab] = await Promise.all([
      context.waitForEvent('page'),
      dialog.getByRole('button', { name: 'Sign in' }).click(),
    ]);
    // then: the issuer still knows the user, and the second window is closed
    if (!secondTab.isClosed()) await secondTab.waitForEvent('close').catch(() => undefined);
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).to.equal('half a sentence');
    await page.getByText('No matching runs').waitFor();
    await close();
  });
});
