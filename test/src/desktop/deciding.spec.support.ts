import type { Approval } from '@countersign/contract';
import type { Locator, Page } from 'playwright-core';
import type { Desktop } from './desktop.spec.support.js';

/** Opens an approval by starting the application a second time with its link. */
export async function openApproval(
  { app, page }: Pick<Desktop, 'app' | 'page'>,
  { approvalId }: Pick<Approval, 'approvalId'>,
): Promise<void> {
  await app.evaluate(
    ({ app: electronApp }, link) => void electronApp.emit('second-instance', {}, [link]),
    `countersign://approvals/${approvalId}`,
  );
  await page.locator(`article[data-approval="${approvalId}"]`).waitFor();
}

export function findButton(page: Page, name: string): Locator {
  return page.getByRole('button', { name, exact: true });
}

/** Lets the undo window expire after it has started; the test controls the clock of the page. */
export async function skipUndoWindow(page: Page): Promise<void> {
  await page
    .getByText(/sending in \d s/i)
    .first()
    .waitFor();
  await page.clock.fastForward(5_000);
}

/** Sets the response to the dialogs of the operating system from now on. @param response index of the button */
export async function stubDialogs({ app }: Desktop, response: number): Promise<void> {
  await app.evaluate(({ dialog }, buttonIndex) => {
    const scope = globalThis as { details?: string[] };
    scope.details = [];
    dialog.showMessageBox = ((...args: { detail?: string }[]) => {
      scope.details?.push(args.at(-1)?.detail ?? '');
      return Promise.resolve({ response: buttonIndex, checkboxChecked: false });
    }) as unknown as typeof dialog.showMessageBox;
  }, response);
}

/** Returns the details of the dialogs that were shown since `stubDialogs` was called. */
export async function readDialogDetails({ app }: Desktop): Promise<readonly string[]> {
  return app.evaluate(() => (globalThis as { details?: string[] }).details ?? []);
}
