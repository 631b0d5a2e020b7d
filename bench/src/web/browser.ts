import { chromium, type Browser, type Page } from 'playwright-core';

const CHROMIUM = process.env['CHROMIUM_BINARY'] ?? '/usr/bin/chromium';

/** Storage key of the web UI's development token. */
const TOKEN_KEY = 'countersign:dev-token:/';

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

/** Returns a signed-in page of a new profile, with an empty cache. */
export async function openSignedInPage(browser: Browser, token: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.addInitScript(([key, value]) => sessionStorage.setItem(key, value), [
    TOKEN_KEY,
    JSON.stringify({ token, expiresAt: Date.now() + 3_600_000 }),
  ] as const);
  return context.newPage();
}

/**
 * Opens an address and waits until the page is interactive: its main content is in the document and painted, and the
 * main thread is idle.
 *
 * @param selector main content of the page
 * @returns ms since the navigation started, by the browser's clock
 */
export async function measureInteractive(page: Page, url: string, selector: string): Promise<number> {
  // Each load is a new document: navigation within the application would be faster.
  await page.goto('about:blank');
  await page.goto(url, { waitUntil: 'commit' });
  return page.evaluate(
    (contentSelector) =>
      new Promise<number>((resolve) => {
        const checkContent = (): void => {
          if (document.querySelector(contentSelector) === null) requestAnimationFrame(checkContent);
          else
            requestAnimationFrame(() =>
              requestAnimationFrame(() => requestIdleCallback(() => resolve(performance.now()))),
            );
        };
        checkContent();
      }),
    selector,
  );
}

/**
 * Starts to count the bytes that a page receives, with the headers of the responses.
 *
 * @returns a function that returns their number so far
 */
export async function countReceivedBytes(page: Page): Promise<() => number> {
  const session = await page.context().newCDPSession(page);
  let total = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (total += encodedDataLength));
  await session.send('Network.enable');
  return () => total;
}

/**
 * Waits for an element in an open page.
 *
 * @returns the time at which it was painted, in ms since the epoch
 */
export function waitForPaint(page: Page, selector: string): Promise<number> {
  return page.evaluate(
    (elementSelector) =>
      new Promise<number>((resolve) => {
        const resolveAfterPaint = (): void => {
          observer.disconnect();
          // The element is painted after the first callback and before the second one, which reads the time.
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now())));
        };
        const observer = new MutationObserver(
          () => document.querySelector(elementSelector) !== null && resolveAfterPaint(),
        );
        observer.observe(document.body, { subtree: true, childList: true, attributes: true });
        if (document.querySelector(elementSelector) !== null) resolveAfterPaint();
      }),
    selector,
  );
}
