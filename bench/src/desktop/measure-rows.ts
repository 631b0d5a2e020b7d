import { setTimeout as delay } from 'node:timers/promises';
import { type Client, buildVoteArguments } from '@countersign/contract';
import type { Page } from 'playwright-core';
import { withTimeout } from '../measure/with-timeout.js';

/** Length of the shortened run id in a row (`shortenRunId` of the inbox). */
const SHORT_RUN_ID_LENGTH = 8;
/**
 * Pauses between requests, in ms. Some requests arrive while the list is still loading for the previous one, others
 * while it is idle.
 */
const PAUSES_MS = [20, 400, 90, 700, 150, 250];
const PAINT_TIMEOUT_MS = 20_000;

interface RowTimesOptions {
  readonly page: Page;
  /** Starts runs that request approvals. */
  readonly operator: Client;
  /** Decides on displayed approvals, so that the rows of later requests are not below the visible part of the list. */
  readonly decider: Client;
  readonly workflowIds: readonly string[];
  readonly requestsPerWorkflow: number;
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
  requestsPerWorkflow,
}: RowTimesOptions): Promise<Record<string, number[]>> {
  await recordRowPaints(page);
  const timesByWorkflow: Record<string, number[]> = Object.fromEntries(workflowIds.map((id) => [id, []]));
  const pendingDecisions: Promise<void>[] = [];
  for (let index = 0; index < requestsPerWorkflow * workflowIds.length; index += 1) {
    const workflowId = workflowIds[index % workflowIds.length] ?? '';
    const { runId } = await operator.startRun({ body: { workflowId } });
    pendingDecisions.push(
      waitForRow(page, runId).then(async (shownAt) => {
        const [approval] = (await decider.listApprovals({ runId })).items;
        if (approval === undefined) throw new Error('The row was shown, but its approval is not pending.');
        timesByWorkflow[workflowId]?.push(shownAt - Date.parse(approval.requestedAt));
        await decider.decideApproval(buildVoteArguments(approval, { decision: 'approve' }));
      }),
    );
    await delay(PAUSES_MS[index % PAUSES_MS.length] ?? 0);
  }
  await Promise.all(pendingDecisions);
  return timesByWorkflow;
}

interface RowPaintTimes {
  readonly shownAt: Map<string, number>;
  readonly waiters: Map<string, (at: number) => void>;
}

/** Makes the page record when each row was first painted, in ms since the epoch. */
async function recordRowPaints(page: Page): Promise<void> {
  await page.evaluate(() => {
    const records: RowPaintTimes = { shownAt: new Map(), waiters: new Map() };
    const seen = new Set<string>();
    const recordNewRows = (): void => {
      const newShortRunIds = [...document.querySelectorAll('.cs-inbox-which')]
        .map((each) => each.textContent ?? '')
        .flatMap((text) => /[0-9a-f]{8}/.exec(text)?.[0] ?? [])
        .filter((shortRunId) => !seen.has(shortRunId));
      if (newShortRunIds.length === 0) return;
      for (const shortRunId of newShortRunIds) seen.add(shortRunId);
      // The row is painted after the first callback and before the second one, which records the time.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          const at = performance.timeOrigin + performance.now();
          for (const shortRunId of newShortRunIds) {
            records.shownAt.set(shortRunId, at);
            records.waiters.get(shortRunId)?.(at);
          }
        }),
      );
    };
    new MutationObserver(recordNewRows).observe(document.body, { subtree: true, childList: true, characterData: true });
    recordNewRows();
    Object.assign(globalThis, { rowPaintTimes: records });
  });
}

function waitForRow(page: Page, runId: string): Promise<number> {
  const paintTime = page.evaluate((shortRunId) => {
    const { rowPaintTimes } = globalThis as unknown as { rowPaintTimes: RowPaintTimes };
    return (
      rowPaintTimes.shownAt.get(shortRunId) ??
      new Promise<number>((resolve) => rowPaintTimes.waiters.set(shortRunId, resolve))
    );
  }, runId.slice(-SHORT_RUN_ID_LENGTH));
  return withTimeout(
    PAINT_TIMEOUT_MS,
    `The request of run ${runId} was not shown within ${PAINT_TIMEOUT_MS} ms.`,
    paintTime,
  );
}
