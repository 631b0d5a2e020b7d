import type { Client } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { Device } from '../http/signing.spec.support.js';
import {
  expectAccessible,
  expectCount,
  hasBrowser,
  launchBrowser,
  openWindow,
  type Window,
} from './web.spec.support.js';

(hasBrowser() ? describe : describe.skip)('web: notifications of new signing keys', () => {
  let countersign: TestHost;
  let browser: Browser;
  let ada: Client;
  let window: Window;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost(), launchBrowser()]);
    ada = await countersign.client('approver', 'ada');
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
  });

  beforeEach(async () => {
    window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token('approver', { subject: 'ada' }),
    });
    await window.page.clock.install();
    await window.page.goto(`${countersign.url}/approvals`);
    await window.page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor();
  });

  afterEach(() => window.close());

  const registerDevice = async (): Promise<Device> => {
    const device = await Device.forServer(ada);
    await device.register(ada, 'ada');
    return device;
  };

  it('should notify the user of a key registered elsewhere, and let the user revoke the key', async () => {
    // given
    const { page } = window;
    const device = await registerDevice();

    // when
    await page.clock.fastForward(61_000);
    await page.getByText('“Laptop” can now sign votes in your name').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Not my key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke the key of “Laptop”?' });
    await dialog.getByText(device.keyId).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Revoke key' }).click();
    await dialog.waitFor({ state: 'detached' });

    // then
    await page.getByText('“Laptop” can now sign votes in your name').waitFor({ state: 'detached' });
    expect((await ada.listMySigningKeys()).items.map(({ revokedBy }) => revokedBy)).to.deep.equal(['ada']);
  });

  it('should show the notification after each reload until the user closes it', async () => {
    const { page } = window;
    const { keyId } = await registerDevice();
    const keyNotice = page.getByText('“Laptop” can now sign votes in your name');
    await page.reload();
    await keyNotice.waitFor();
    await page.reload();
    await keyNotice.waitFor();
    await page.getByRole('button', { name: 'Dismiss: this is my key' }).click();
    await keyNotice.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('countersign:key-news'))).to.contain(keyId);
    await expectCount(keyNotice, 0);
    await ada.revokeMySigningKey({ keyId });
  });
});
