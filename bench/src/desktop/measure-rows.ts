import { setTimeout as delay } from 'node:timers/promises';
import { type Client, buildVoteArguments } from '@countersign/contract';
import type { Page } from 'playwright-core';
import { withTimeout } from '../measure/with-timeout.js';

/** Length of the run id in a row (`shortRunId` of the inbox). */
const MARK_LENGTH = 8;
/**
 * Pauses between two requests, in ms: some arrive while the list still loads for the one before, some when it is idle.
 */
const PAUSES_MS = [20, 400, 90, 700, 150, 250];
const PAINT_TIMEOUT_MS = 20_000;

interface RowTimesOptions {
  readonly page: Page;
  /** Starts runs that request approvals. */
  readonly operator: Client;
  /** Decides on displayed approvals, so that the next one is visible again. */
  readonly decider: Client;
  readonly workflowIds: readonly string[];
  readonly times: number;
}

/**
 * Measures the time from an approval request to its row.
 *
 * @returns ms from `requestedAt`, which is taken before the commit, until the row was painted, by workflow
 */
export async function measureRows({
  page,
  operator,
  decider,
  workflowIds,
  times,
}: RowTimesOptions): Promise<Record<string, number[]>> {
  await recordRowPaints(page);
  const measured: Record<string, number[]> = Object.fromEntries(workflowIds.map((id) => [id, []]));
  const pendingDecisions: Promise<void>[] = [];
  for (let index = 0; index < times * workflowIds.length; index += 1) {
    const workflowId = workflowIds[index % workflowIds.length] ?? '';
    const { runId } = await operator.startRun({ body: { workflowId } });
    pendingDecisions.push(
      waitForRow(page, runId).then(async (shownAt) => {
        const [approval] = (await decider.listApprovals({ runId })).items;
        if (approval === undefined) throw new Error('The row was shown, but its approval is not pending.');
        measured[workflowId]?.push(shownAt - Date.parse(approval.requestedAt));
        await decider.decideApproval(buildVoteArguments(approval, { decision: 'approve' }));
      }),
    );
    await delay(PAUSES_MS[index % PAUSES_MS.length] ?? 0);
  }
  await Promise.all(pendingDecisions);
  return measured;
}

interface RowPaintTimes {
  readonly shownAt: Map<string, number>;
  readonly waiting: Map<string, (at: number) => void>;
}

/** Makes the page record when each row was first painted, in ms since the epoch. */
async function recordRowPaints(page: Page): Promise<void> {
  await page.evaluate(() => {
    const records: RowPaintTimes = { shownAt: new Map(), waiting: new Map() };
    const seen = new Set<string>();
    const recordNewRows = (): void => {
      const newMarks = [...document.querySelectorAll('.cs-inbox-which')]
        .map((each) => each.textContent ?? '')
        .flatMap((text) => /[0-9a-f]{8}/.exec(text)?.[0] ?? [])
        .filter((mark) => !seen.has(mark));
      if (newMarks.length === 0) return;
      for (const mark of newMarks) seen.add(mark);
      // The frame that shows it: painting starts after this callback and ends before the next one.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          const at = performance.timeOrigin + performance.now();
          for (const mark of newMarks) {
            records.shownAt.set(mark, at);
            records.waiting.get(mark)?.(at);
          }
        }),
      );
    };
    new MutationObserver(recordNewRows).observe(document.body, { subtree: true, childList: true, characterData: true });
    recordNewRows();
    Object.assign(globalThis, { rowNotes: records });
  });
}

function waitForRow(page: Page, runId: string): Promise<number> {
  const paintTime = page.evaluate((mark) => {
    const { rowNotes } = globalThis as unknown as { rowNotes: RowPaintTimes };
    return rowNotes.shownAt.get(mark) ?? new Promise<number>((resolve) => rowNotes.waiting.set(mark, resolve));
  }, runId.slice(-MARK_LENGTH));
  return withTimeout(
    PAINT_TIMEOUT_MS,
    `The request of run ${runId} was not shown in ${PAINT_TIMEOUT_MS} ms.`,
    paintTime,
  );
}
