import type { Page } from 'playwright-core';

const GRACE_MS = 5_000;
const LONG_MS = 600_000;

/** Extends the undo window until `longGraceOver`, even on a busy machine. The test must control the page's clock. */
export async function longGrace(page: Page): Promise<void> {
  await page.evaluate(
    ([grace, long]) => {
      const real = window.setTimeout;
      window.setTimeout = ((run: () => void, ms: number) => real(run, ms === grace ? long : ms)) as typeof setTimeout;
      (window as { shortGrace?: () => void }).shortGrace = () => void (window.setTimeout = real);
    },
    [GRACE_MS, LONG_MS] as const,
  );
}

/** Restores the undo window from before `longGrace` for later votes. */
export async function shortGrace(page: Page): Promise<void> {
  await page.evaluate(() => (window as { shortGrace?: () => void }).shortGrace?.());
}

/** Ends an undo window that has started; later ones have their normal length. */
export async function longGraceOver(page: Page): Promise<void> {
  await page
    .getByText(/sent in \d s/i)
    .first()
    .waitFor();
  await shortGrace(page);
  await page.clock.fastForward(LONG_MS);
}
