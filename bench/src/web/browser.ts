import { chromium, type Browser, type Page } from 'playwright-core';

const CHROMIUM = process.env['CHROMIUM_BINARY'] ?? '/usr/bin/chromium';

/** How the development sign-in of the web UI keeps its token. */
const TOKEN = 'countersign:dev-token:/';

export function launchBrowser(): Promise<Browser> {
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ];
  return chromium.launch({ executablePath: CHROMIUM, args });
}

/** A page of a new profile, so with nothing in its cache, that is signed in. */
export async function signedInPage(browser: Browser, token: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.addInitScript(([key, value]) => sessionStorage.setItem(key, value), [
    TOKEN,
    JSON.stringify({ token, expiresAt: Date.now() + 3_600_000 }),
  ] as const);
  return context.newPage();
}

/**
 * Goes to an address, and waits until the page is interactive: what it is about is in the document, has been painted, and
 * the main thread has nothing to do.
 *
 * @param selector of what the page is about
 * @returns ms since the navigation began, by the browser's clock.
 */
export async function interactiveAfter(page: Page, url: string, selector: string): Promise<number> {
  // Each load is one of a new document: going from page to page within the application would be faster.
  await page.goto('about:blank');
  await page.goto(url, { waitUntil: 'commit' });
  return page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const look = (): void => {
          if (document.querySelector(wanted) === null) requestAnimationFrame(look);
          else
            requestAnimationFrame(() =>
              requestAnimationFrame(() => requestIdleCallback(() => resolve(performance.now()))),
            );
        };
        look();
      }),
    selector,
  );
}

/** Waits for something in a page that is open already. @returns the time at which it was painted, in ms of the epoch. */
export function paintedAt(page: Page, selector: string): Promise<number> {
  return page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const done = (): void => {
          observer.disconnect();
          // The frame that shows it: its painting begins after this callback, and ends before the next one.
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now())));
        };
        const observer = new MutationObserver(() => document.querySelector(wanted) !== null && done());
        observer.observe(document.body, { subtree: true, childList: true, attributes: true });
        if (document.querySelector(wanted) !== null) done();
      }),
    selector,
  );
}
