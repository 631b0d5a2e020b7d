import { waitUntil } from '@countersign/testing';
import type { Browser } from 'playwright-core';
import { signInAtIssuer } from '../web/oidc-issuer.spec.support.js';
import type { Desktop } from './desktop.spec.support.js';

/** Records the URLs for the system browser instead of opening them. */
export async function recordOpenedUrls({ app }: Desktop): Promise<void> {
  await app.evaluate(({ shell }) => {
    shell.openExternal = (url: string) => Promise.resolve(void ((globalThis as { opened?: string }).opened = url));
  });
}

/** Waits for the last URL that the system browser was asked to open. */
export function waitForOpenedUrl({ app }: Desktop): Promise<string> {
  return waitUntil('the application opens a URL in the browser', () =>
    app.evaluate(() => (globalThis as { opened?: string }).opened),
  );
}

/** Signs in at the URL that the application opened. @returns the redirect URL */
export async function signInWithBrowser(desktop: Desktop, browser: Browser, login: string): Promise<string> {
  const page = await browser.newPage();
  await page.route('https://fonts.googleapis.com/**', (route) => route.abort());
  await page.goto(await waitForOpenedUrl(desktop));
  await signInAtIssuer(page, login);
  await page.getByText('You can close this page').waitFor();
  const url = page.url();
  await page.close();
  await desktop.app.evaluate(() => void delete (globalThis as { opened?: string }).opened);
  return url;
}
