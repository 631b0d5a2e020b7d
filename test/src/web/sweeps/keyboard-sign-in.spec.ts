import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { Keyboard } from '../keyboard.spec.support.js';
import {
  buildAuthConfiguration,
  openIssuerWindow,
  signInAtIssuer,
  startIssuer,
  type TestIssuer,
} from '../oidc-issuer.spec.support.js';
import { hasBrowser, launchBrowser } from '../web.spec.support.js';

(hasBrowser() ? describe : describe.skip)('web: signing in with an OIDC issuer by keyboard only', function () {
  this.timeout(60_000);
  let countersign: TestHost;
  let issuer: TestIssuer;
  let browser: Browser;

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

  it('should cancel a sign-in at the issuer, sign in again, and sign out', async () => {
    // given
    const { page, close } = await openIssuerWindow(browser, countersign.url, issuer);
    const keys = new Keyboard(page);
    await page.goto(`${countersign.url}/runs?status=failed`);

    // when: the user cancels the sign-in on the issuer's page, which is not part of Countersign
    await keys.activate('button', 'Sign in');
    await page.getByRole('link', { name: /Cancel/ }).click();

    // then
    await page.getByRole('alert').waitFor();
    await keys.activate('button', 'Sign in again');

    // when
    await page.getByRole('heading', { name: 'Sign in to Countersign' }).waitFor();
    await keys.activate('button', 'Sign in');
    await signInAtIssuer(page, 'olga');

    // then
    await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();
    await keys.press('Tab');
    await keys.expectFocus(page.getByRole('link', { name: 'Skip to content' }));
    await keys.press('Enter');
    await keys.expectFocus(page.getByRole('main'));

    // when
    await keys.activate('button', 'olga · Operator', { isBackward: true });
    await keys.expectFocusWithin(page.getByRole('menu'));
    await keys.press('End');
    await keys.expectFocus(page.getByRole('menuitem', { name: 'Sign out' }));
    await keys.press('Enter');
    await page.getByRole('button', { name: /Yes/ }).click();

    // then
    await page.getByRole('heading', { name: 'Sign in to Countersign' }).waitFor();
    await keys.tabTo('button', 'Sign in');
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.to.contain('access_token');
    await close();
  });
});
