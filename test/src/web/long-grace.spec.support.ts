import type { Page } from 'playwright-core';

const GRACE_MS = 5_000;
const LONG_MS = 600_000;

/** Decisions can be taken back until `longGraceOver`, however busy the machine is. The page's clock must be the test's already. */
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

/** As it was before `longGrace`, for decisions from now on. */
export async function shortGrace(page: Page): Promise<void> {
  await page.evaluate(() => (window as { shortGrace?: () => void }).shortGrace?.());
}

/** Lets that time pass once it has begun; from now on it is as long as ever. */
export async function longGraceOver(page: Page): Promise<void> {
  await page
    .getByText(/sent in \d s/i)
    .first()
    .waitFor();
  await shortGrace(page);
  await page.clock.fastForward(LONG_MS);
}
