import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Role } from '@countersign/contract';
import { currentTime, seconds, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { chromium, type Browser, type BrowserContext, type Locator, type Page } from 'playwright-core';

const CHROMIUM = process.env['CHROMIUM_BINARY'] ?? '/usr/bin/chromium';

/**
 * Chromium features to turn off. This list replaces the list of Playwright, so it repeats its features. It adds the
 * features that load hidden content with each window: the popups of the address bar, which are separate pages, and a
 * spare renderer.
 */
const DISABLED_FEATURES = [
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
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
];

/** Returns whether the tests that need a browser run: always in CI, elsewhere only if a browser is installed. */
export function hasBrowser(): boolean {
  return process.env['CI'] === 'true' || existsSync(CHROMIUM);
}

/** Launches a real browser for the specs of a file. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

export interface WindowOptions {
  readonly url: string;
  /** The role of the signed-in user; omitted: not signed in. */
  readonly role?: Role;
  readonly token?: string;
  readonly colorScheme?: 'light' | 'dark';
  readonly viewport?: { readonly width: number; readonly height: number };
  /** What the user has chosen to see after a vote. Default: the decided approval, whose result most specs check. */
  readonly afterVote?: 'next' | 'stay';
}

/** A window on the web UI that records faults: CSP violations, script errors, browser dialogs and external requests. */
export interface Window {
  readonly context: BrowserContext;
  readonly page: Page;
  /** The faults so far. */
  readonly faults: readonly string[];
  /** Asserts that no fault occurred, and closes the window. */
  close(): Promise<void>;
}

/**
 * Opens a window with a blank page, ready for `page.goto(url + '/runs')`. `token` is the result of
 * `TestHost.token(role)`; without a token, no user is signed in.
 */
export async function openWindow(
  browser: Browser,
  { url, token, colorScheme = 'light', viewport = { width: 1280, height: 800 }, afterVote = 'stay' }: WindowOptions,
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
  if (afterVote === 'stay')
    await context.addInitScript(() => {
      // Error pages of the browser have no storage.
      if (globalThis.origin !== 'null') localStorage.setItem('countersign:after-vote', 'stay');
    });
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

/** Changes the colour scheme of the system, and waits until the page shows it and all movement has ended. */
export async function changeColorScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' });
  await waitUntilStill(page);
}

/**
 * Frames to check for movement: a transition starts one frame after its cause, and an opening dialog of Mantine later.
 */
const STABLE_FRAMES = 6;
const MAX_TRANSITION_MS = seconds(10);

/**
 * Waits until no finite transition or animation is running: half-faded elements have unintended colours,
 * and moving elements have not reached their final position.
 */
async function waitUntilStill(page: Page): Promise<void> {
  const deadline = performance.now() + MAX_TRANSITION_MS;
  for (;;) {
    // Not `waitForFunction`, which treats a promise as true.
    const movingElements = await page.evaluate(findMovingElements, STABLE_FRAMES);
    if (movingElements.length === 0) return;
    if (performance.now() > deadline)
      throw new Error(`Something on the page moved for ${MAX_TRANSITION_MS} ms: ${movingElements.join(', ')}`);
  }
}

/** Runs in the page. Returns the class names of the elements that move in one of the next frames. */
async function findMovingElements(frames: number): Promise<string[]> {
  for (let framesLeft = frames; ; framesLeft -= 1) {
    const movingElements = document
      .getAnimations()
      .filter(
        ({ playState, effect }) =>
          playState === 'running' && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY,
      );
    if (movingElements.length > 0)
      return movingElements
        .map(({ effect }) => (effect instanceof KeyframeEffect && effect.target?.className) || 'an element')
        .map(String);
    // A hidden window draws no frames.
    if (framesLeft === 0 || document.hidden) return [];
    await new Promise(requestAnimationFrame);
  }
}

let axeSource: string | undefined;

/** Asserts that axe-core finds no violations of WCAG 2.2 AA or of its best practices on the page. */
export async function expectAccessible(page: Page): Promise<void> {
  const violations = await findViolations(page);
  expect(violations, violations.join('\n')).to.deep.equal([]);
}

/** Returns the violations of WCAG 2.2 AA and of its best practices that axe-core finds on the page. */
export async function findViolations(page: Page): Promise<string[]> {
  if (await page.evaluate(() => !('axe' in globalThis))) {
    // Evaluated by the debugger, because the CSP of the page allows no inline scripts.
    axeSource ??= readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    await page.evaluate(axeSource);
  }
  await waitUntilStill(page);
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
    // The watermark is from bpmn.io, and must remain unchanged.
    const axeResults = await axe.run(
      { exclude: [['.bjs-powered-by']] },
      {
        resultTypes: ['violations'],
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      },
    );
    return axeResults.violations.map(
      ({ id, help, nodes }) =>
        `${id}: ${help}\n${nodes
          .slice(0, 5)
          .map(({ target, failureSummary }) => `  ${JSON.stringify(target)} ${failureSummary ?? ''}`)
          .join('\n')}`,
    );
  });
}

/** Waits until the page contains this number of elements. */
export async function expectCount(locator: Locator, count: number, message = String(locator)): Promise<void> {
  let foundCount = NaN;
  const hasExpectedCount = async (): Promise<boolean> => {
    foundCount = await locator.count();
    return foundCount === count;
  };
  await waitUntil(`${message}: ${count}`, hasExpectedCount, 10).catch((error: Error) => {
    throw new Error(`${error.message}, but ${foundCount}`, { cause: error });
  });
}

/** Waits until a page is connected to the change feed again. The client pauses up to 30 s between attempts. */
export async function waitUntilLive(page: Page): Promise<void> {
  await page.locator('[data-live="live"]').waitFor({ timeout: seconds(60) });
}

/** Stops the page's clock a minute ahead, so that even on a slow machine no timeout of the page expires. */
export async function holdClock(page: Page): Promise<void> {
  // eslint-disable-next-line no-restricted-syntax -- the clock of the page
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
}
