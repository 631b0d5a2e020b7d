import { buildCountersignatureSigningInput, type Client } from '@countersign/contract';
import { createTestHost, type TestHost, isoTimeIn, currentTime } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { Device } from '../http/signing.spec.support.js';
import { createClientWithClaims, createTokenWithClaims } from '../http/custom-claims.spec.support.js';
import { buildAuthConfiguration, startIssuer, type TestIssuer } from '../web/oidc-issuer.spec.support.js';
import { expectAccessible, hasBrowser, launchBrowser } from '../web/web.spec.support.js';
import {
  deleteUserData,
  hasElectron,
  Screen,
  signInWithToken,
  startDesktop,
  type Desktop,
} from './desktop.spec.support.js';
import { NativeDialogs } from './dialogs.spec.support.js';
import { recordOpenedUrls, waitForOpenedUrl, signInWithBrowser } from './sign-in-oidc.spec.support.js';

const HOUR_SECONDS = 3_600;

(hasElectron() && hasBrowser() ? describe : describe.skip)('desktop: enrolment of signing keys', () => {
  let screen: Screen;
  let desktop: Desktop;
  let dialogs: NativeDialogs;

  before(async () => {
    screen = await Screen.start();
  });

  after(() => screen?.stop());

  beforeEach(async () => {
    desktop = await startDesktop({ screen });
    dialogs = await NativeDialogs.interceptDialogs(desktop.app);
  });

  afterEach(async () => {
    await desktop.close();
    deleteUserData(desktop.userData);
  });

  const openSigningKeys = async (person: string): Promise<void> => {
    await desktop.page.getByRole('button', { name: new RegExp(person) }).click();
    await desktop.page.getByRole('menuitem', { name: /Signing key/ }).click();
    await desktop.page.getByRole('dialog', { name: 'Signing key' }).waitFor();
  };
  const setUpKey = async (): Promise<void> => {
    await desktop.page.getByRole('dialog').getByRole('button', { name: 'Set up a signing key' }).click();
  };

  describe('with an issuer', () => {
    let countersign: TestHost;
    let issuer: TestIssuer;
    let browser: Browser;

    before(async () => {
      [issuer, browser] = await Promise.all([startIssuer(), launchBrowser()]);
      countersign = await createTestHost({ configuration: { Auth: buildAuthConfiguration(issuer) } });
      await issuer.register(countersign.url, true);
      issuer.roles = ['approver'];
    });

    after(async () => {
      await browser?.close();
      await countersign?.close();
      await issuer?.close();
    });

    it('should explain how to enrol the key if the sign-in is too old, and enrol the key after a new sign-in', async () => {
      // given
      const { page } = desktop;
      issuer.extraSignInAgeSeconds = HOUR_SECONDS;
      await recordOpenedUrls(desktop);
      await page.getByRole('textbox', { name: 'Address' }).fill(countersign.url);
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('button', { name: 'Sign in with the browser' }).click();
      await signInWithBrowser(desktop, browser, 'ada');
      await page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor();
      await openSigningKeys('ada');
      await setUpKey();
      const dialog = page.getByRole('dialog', { name: 'Signing key' });
      await dialog.getByText('Your signing key is not confirmed yet').waitFor();
      await dialog.getByText('Ask an administrator to approve the key.').waitFor();
      await expectAccessible(page);

      // when
      issuer.extraSignInAgeSeconds = 0;
      await dialog.getByRole('button', { name: 'Sign in again' }).click();
      await signInWithBrowser(desktop, browser, 'ada');

      // then
      await dialog.getByText('Votes can be signed on this device').waitFor();
      expect(await dialogs.takeShownDialogs()).to.have.length(1);
    });

    it('should not enrol the key if the sign-in is cancelled or another person signs in', async () => {
      // given
      const { page } = desktop;
      issuer.extraSignInAgeSeconds = HOUR_SECONDS;
      await recordOpenedUrls(desktop);
      await page.getByRole('textbox', { name: 'Address' }).fill(countersign.url);
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('button', { name: 'Sign in with the browser' }).click();
      await signInWithBrowser(desktop, browser, 'bea');
      await openSigningKeys('bea');
      await setUpKey();
      const dialog = page.getByRole('dialog', { name: 'Signing key' });
      const signInAgainButton = dialog.getByRole('button', { name: 'Sign in again' });

      // when
      await signInAgainButton.click();
      await waitForOpenedUrl(desktop);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.getByText('The sign-in was cancelled.').waitFor();
      await desktop.app.evaluate(() => void delete (globalThis as { opened?: string }).opened);
      issuer.extraSignInAgeSeconds = 0;
      await signInAgainButton.click();
      await signInWithBrowser(desktop, browser, 'eve');

      // then
      await dialog.getByText('Someone else signed in.').waitFor();
      await dialog.getByText('Your signing key is not confirmed yet').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: /bea/ }).waitFor();
    });
  });

  describe('by another device', () => {
    let countersign: TestHost;
    let ada: Client;

    before(async () => {
      countersign = await createTestHost();
      ada = await countersign.client('approver', 'ada');
    });

    after(() => countersign?.close());

    it('should enrol the key after another key of the person countersigned it', async () => {
      // given
      const otherDevice = await Device.forServer(ada);
      await otherDevice.register(ada, 'ada');
      await signInWithToken(
        desktop,
        countersign,
        await createTokenWithClaims(countersign, {
          sub: 'ada',
          roles: ['approver'],
          auth_time: Math.floor(currentTime() / 1000) - HOUR_SECONDS,
        }),
      );
      await openSigningKeys('ada');
      await setUpKey();
      const dialog = desktop.page.getByRole('dialog', { name: 'Signing key' });
      await dialog.getByText('Your signing key is not confirmed yet').waitFor();
      await dialog.getByRole('button', { name: 'Sign in again' }).click();
      await dialog.getByText(/Sign out and sign in with a new token/).waitFor();

      // when
      const [{ keyId = '' } = {}] = (await ada.listMySigningKeys()).items.filter(({ enrolment }) => enrolment === null);
      const statement = {
        server: otherDevice.serverId,
        subject: 'ada',
        enrolledKeyId: keyId,
        keyId: otherDevice.keyId,
        at: isoTimeIn(0),
      };
      await ada.countersignMySigningKey({
        keyId,
        body: { countersignature: otherDevice.signBytes(buildCountersignatureSigningInput(statement)) },
      });
      await desktop.page.keyboard.press('Escape');
      await openSigningKeys('ada');

      // then
      await dialog.getByText('Votes can be signed on this device').waitFor();
    });

    it('should announce the unconfirmed key of another device and countersign it', async () => {
      // given
      const { page } = desktop;
      const person = 'cem';
      const cem = await countersign.client('approver', person);
      await signInWithToken(desktop, countersign, await countersign.token('approver', { subject: person }));
      await openSigningKeys(person);
      await setUpKey();
      await page.getByText('Votes can be signed on this device').waitFor();
      await page.keyboard.press('Escape');
      await dialogs.takeShownDialogs();
      const phone = await Device.forServer(cem);
      await phone.register(await createClientWithClaims(countersign, { sub: person, roles: ['approver'] }), person);

      // when
      await page.reload();
      await page.getByText('“Laptop” was registered to sign votes in your name').waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Review' }).click();
      const dialog = page.getByRole('dialog', { name: 'Signing key' });
      await dialog.getByText(/Not confirmed yet/).waitFor();
      await dialog.getByRole('button', { name: 'Confirm that the key of Laptop is yours' }).click();
      await dialog.getByText(/Not confirmed yet/).waitFor({ state: 'detached' });

      // then
      const [shownDialog] = await dialogs.takeShownDialogs();
      expect(shownDialog).to.include({ message: 'Is the key of “Laptop” yours?', defaultId: 0 });
      expect(shownDialog?.detail).to.contain(phone.keyId);
      const [key] = (await cem.listMySigningKeys()).items.filter(({ keyId }) => keyId === phone.keyId);
      expect(key?.enrolment?.method).to.equal('countersignature');
    });
  });
});
