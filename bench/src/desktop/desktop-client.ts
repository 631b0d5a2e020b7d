import { _electron, errors, type ElectronApplication, type Page } from 'playwright-core';
import type { Electron } from './find-electron.js';
import type { DesktopEnvironment } from './desktop-environment.js';

export interface DesktopClient {
  readonly app: ElectronApplication;
  readonly page: Page;
  close(): Promise<void>;
}

interface DesktopClientOptions {
  readonly electron: Electron;
  readonly environment: DesktopEnvironment;
  readonly userData: string;
}

/** Launches the client. With a signed-in profile, it opens at the inbox. */
export async function launchDesktopClient({
  electron,
  environment,
  userData,
}: DesktopClientOptions): Promise<DesktopClient> {
  const options = {
    executablePath: electron.executable,
    args: [
      ...electron.args,
      ...KEYCHAIN_ARGS,
      '--js-flags=--expose-gc',
      `--user-data-dir=${userData}`,
      electron.application,
    ],
    env: { ...process.env, LANG: 'en_GB.UTF-8', ...environment.env } as Record<string, string>,
    timeout: 15_000,
  };
  // Old versions of Electron occasionally do not respond to the debugger, so the launch is retried once after a
  // timeout.
  const app = await _electron.launch(options).catch((error: unknown) => {
    if (error instanceof errors.TimeoutError) return _electron.launch(options);
    throw error;
  });
  const page = await app.firstWindow();
  page.setDefaultTimeout(20_000);
  return { app, page, close: () => app.close() };
}

/** Arguments that select Chromium's keychain on Linux, where Chromium may not recognise the desktop environment. */
export const KEYCHAIN_ARGS: readonly string[] =
  process.platform === 'linux' ? ['--password-store=gnome-libsecret'] : [];

/** Adds the server on the first start, and signs in with a development token. */
export async function signIn(page: Page, url: string, token: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Address' }).fill(url);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByLabel(/^Development token/).fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Waits until the inbox is visible and follows the changes of the server. */
export async function waitUntilLive(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor();
  await page.locator('[data-live="live"]').waitFor();
}
