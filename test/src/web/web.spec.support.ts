import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Role } from '@countersign/contract';
import { currentTime, seconds, until } from '@countersign/testing';
import { expect } from 'chai';
import { chromium, type Browser, type BrowserContext, type Locator, type Page } from 'playwright-core';

const CHROMIUM = process.env['CHROMIUM_BINARY'] ?? '/usr/bin/chromium';

/**
 * What Playwright turns off, which a list of one's own replaces; and what Chromium would load for each window that no
 * test ever sees: the popups of its address bar, which are pages of their own, and a renderer in reserve.
 */
const FEATURES_OFF = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'SpareRendererForSitePerProcess',
];

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
  `--disable-features=${FEATURES_OFF.join(',')}`,
];

/** Whether there is a browser; where there is none tests are skipped, but never in CI. */
export function hasBrowser(): boolean {
  return process.env['CI'] === 'true' || existsSync(CHROMIUM);
}

/** A real browser for the specs of a file. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

export interface WindowOptions {
  readonly url: string;
  /** Signed in as this; left out: not signed in. */
  readonly role?: Role;
  readonly token?: string;
  readonly colorScheme?: 'light' | 'dark';
  readonly viewport?: { readonly width: number; readonly height: number };
}

/** A window on the web UI, that watches for what must never happen: broken rules of the policy, scripts' errors, requests elsewhere. */
export interface Window {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What went wrong so far. */
  readonly faults: readonly string[];
  /** Asserts that nothing went wrong, and closes the window. */
  close(): Promise<void>;
}

/** Opens a window; `token` is what `TestHost.token(role)` gives. Nothing is loaded yet: `page.goto(url + '/runs')`. */
export async function openWindow(
  browser: Browser,
  { url, token, colorScheme = 'light', viewport = { width: 1280, height: 800 } }: WindowOptions,
): Promise<Window> {
  const context = await browser.newContext({
    colorScheme,
    viewport,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
  });
  context.setDefaultTimeout(seconds(10));
  const faults: string[] = [];
  if (token !== undefined) {
    const stored = JSON.stringify({ token, expiresAt: currentTime() + 3_600_000 });
    const key = `countersign:dev-token:${new URL(`${url}/`).pathname.replace(/\/+$/, '') || '/'}`;
    await context.addInitScript(([name, value]) => sessionStorage.setItem(name ?? '', value ?? ''), [
      key,
      stored,
    ] as const);
  }
  await context.exposeFunction('countersignFault', (fault: string) => void faults.push(fault));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      (globalThis as unknown as { countersignFault(fault: string): void }).countersignFault(
        `CSP: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`,
      );
    });
  });
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(`error: ${error.stack ?? error.message}`));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && protocol !== 'blob:' && origin !== new URL(url).origin)
      faults.push(`request elsewhere: ${request.url()}`);
  });
  return {
    context,
    page,
    faults,
    close: async () => {
      await context.close();
      expect(faults).to.deep.equal([]);
    },
  };
}

/** Changes the colour scheme of the system, and waits until the page shows it and nothing on it moves any more. */
export async function changeColorScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' });
  await still(page);
}

/** A transition begins a frame after what causes it, and a dialog that opens waits some more (Mantine). */
const QUIET_FRAMES = 6;
const LONGEST_TRANSITION = seconds(10);

/**
 * Waits until no transition and no animation is running that ever ends: what is half faded has colours that nobody chose,
 * and what still moves stands where it will not stay.
 */
async function still(page: Page): Promise<void> {
  const deadline = performance.now() + LONGEST_TRANSITION;
  for (;;) {
    // Not `waitForFunction`, to which a promise is as good as true.
    const moving = await page.evaluate(movingWithin, QUIET_FRAMES);
    if (moving.length === 0) return;
    if (performance.now() > deadline)
      throw new Error(`Something on the page moved for ${LONGEST_TRANSITION} ms: ${moving.join(', ')}`);
  }
}

/** Runs in the page: what moves in one of the next frames. */
async function movingWithin(frames: number): Promise<string[]> {
  for (let left = frames; ; left -= 1) {
    const moving = document
      .getAnimations()
      .filter(
        ({ playState, effect }) =>
          playState === 'running' && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY,
      );
    if (moving.length > 0)
      return moving
        .map(({ effect }) => (effect instanceof KeyframeEffect && effect.target?.className) || 'an element')
        .map(String);
    // A window that is hidden draws no frames.
    if (left === 0 || document.hidden) return [];
    await new Promise(requestAnimationFrame);
  }
}

let axeSource: string | undefined;

/** Asserts that axe-core finds nothing on the page, by WCAG 2.2 AA and its best practices. */
export async function expectAccessible(page: Page): Promise<void> {
  const violations = await violationsOf(page);
  expect(violations, violations.join('\n')).to.deep.equal([]);
}

/** What axe-core finds on the page, by WCAG 2.2 AA and its best practices. */
export async function violationsOf(page: Page): Promise<string[]> {
  if (await page.evaluate(() => !('axe' in globalThis))) {
    // Evaluated by the debugger: the page's policy allows no inline scripts, and need not.
    axeSource ??= readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    await page.evaluate(axeSource);
  }
  await still(page);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(
          context: object,
          options: object,
        ): Promise<{
          violations: { id: string; help: string; nodes: { target: unknown[]; failureSummary?: string }[] }[];
        }>;
      };
    };
    // bpmn.io's watermark is theirs, and has to stay as it is.
    const found = await axe.run(
      { exclude: [['.bjs-powered-by']] },
      {
        resultTypes: ['violations'],
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      },
    );
    return found.violations.map(
      ({ id, help, nodes }) =>
        `${id}: ${help}\n${nodes
          .slice(0, 5)
          .map(({ target, failureSummary }) => `  ${JSON.stringify(target)} ${failureSummary ?? ''}`)
          .join('\n')}`,
    );
  });
}

/** Asserts that there are so many of something, as soon as the page has caught up. */
export async function expectCount(locator: Locator, count: number, message = String(locator)): Promise<void> {
  let found = NaN;
  const isSo = async (): Promise<boolean> => {
    found = await locator.count();
    return found === count;
  };
  await until(`${message}: ${count}`, isSo, 10).catch((error: Error) => {
    throw new Error(`${error.message}, but ${found}`, { cause: error });
  });
}

/** Waits until a page follows the feed again that was cut: the client waits up to 30 seconds between its attempts. */
export async function liveAgain(page: Page): Promise<void> {
  await page.locator('[data-live="live"]').waitFor({ timeout: seconds(60) });
}

/** Stops the page's clock, a minute on: however slow the machine is, no time that the page waits for ends by itself. */
export async function holdClock(page: Page): Promise<void> {
  // eslint-disable-next-line no-restricted-syntax -- the clock of the page
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
}
