import type { Page } from 'playwright-core';

const UNDO_WINDOW_MS = 5_000;
const EXTENDED_UNDO_WINDOW_MS = 600_000;

/**
 * Extends the undo window until `skipExtendedUndoWindow`, even on a busy machine. The test must control the page's
 * clock.
 */
export async function extendUndoWindow(page: Page): Promise<void> {
  await page.evaluate(
    ([undoWindowMs, extendedMs]) => {
      const originalSetTimeout = window.setTimeout;
      window.setTimeout = ((run: () => void, ms: number) =>
        originalSetTimeout(run, ms === undoWindowMs ? extendedMs : ms)) as typeof setTimeout;
      (window as { restoreUndoWindow?: () => void }).restoreUndoWindow = () =>
        void (window.setTimeout = originalSetTimeout);
    },
    [UNDO_WINDOW_MS, EXTENDED_UNDO_WINDOW_MS] as const,
  );
}

/** Restores the undo window from before `extendUndoWindow` for later votes. */
export async function restoreUndoWindow(page: Page): Promise<void> {
  await page.evaluate(() => (window as { restoreUndoWindow?: () => void }).restoreUndoWindow?.());
}

/** Ends an undo window that has started; later ones have their normal length. */
export async function skipExtendedUndoWindow(page: Page): Promise<void> {
  await page
    .getByText(/sending in \d s/i)
    .first()
    .waitFor();
  await restoreUndoWindow(page);
  await page.clock.fastForward(EXTENDED_UNDO_WINDOW_MS);
}
