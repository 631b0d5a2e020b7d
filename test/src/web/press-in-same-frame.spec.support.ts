import type { Page } from 'playwright-core';

/** Presses keys on the focused element without rendering a frame between them. */
export async function pressInSameFrame(page: Page, ...keys: readonly string[]): Promise<void> {
  await page.evaluate((keysToPress) => {
    for (const key of keysToPress)
      (document.activeElement ?? document.body).dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
      );
  }, keys);
}
