import { setTimeout as delay } from 'node:timers/promises';
import { type Client, voteOn } from '@countersign/contract';
import type { Page } from 'playwright-core';
import { within } from '../measure/within.js';

/** Length of the run id in a row (`shortRunId` of the inbox). */
const MARK_LENGTH = 8;
/**
 * Pauses between two requests, in ms: some arrive while the list still loads for the one before, some when it is idle.
 */
const PAUSES = [20, 400, 90, 700, 150, 250];
const SHOWN_WITHIN_MS = 20_000;

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
export async function rowTimes({
  page,
  operator,
  decider,
  workflowIds,
  times,
}: RowTimesOptions): Promise<Record<string, number[]>> {
  await noteRows(page);
  const measured: Record<string, number[]> = Object.fromEntries(workflowIds.map((id) => [id, []]));
  const under: Promise<void>[] = [];
  for (let turn = 0; turn < times * workflowIds.length; turn += 1) {
    const workflowId = workflowIds[turn % workflowIds.length] ?? '';
    const { runId } = await operator.startRun({ body: { workflowId } });
    under.push(
      paintedRow(page, runId).then(async (shownAt) => {
        const [approval] = (await decider.listApprovals({ runId })).items;
        if (approval === undefined) throw new Error('The row was shown, but its approval is not pending.');
        measured[workflowId]?.push(shownAt - Date.parse(approval.requestedAt));
        await decider.decideApproval(voteOn(approval, { decision: 'approve' }));
      }),
    );
    await delay(PAUSES[turn % PAUSES.length] ?? 0);
  }
  await Promise.all(under);
  return measured;
}

interface RowNotes {
  readonly shownAt: Map<string, number>;
  readonly wanted: Map<string, (at: number) => void>;
}

/** Makes the page record when each row was first painted, in ms since the epoch. */
async function noteRows(page: Page): Promise<void> {
  await page.evaluate(() => {
    const notes: RowNotes = { shownAt: new Map(), wanted: new Map() };
    const seen = new Set<string>();
    const look = (): void => {
      const fresh = [...document.querySelectorAll('.cs-inbox-which')]
        .map((each) => each.textContent ?? '')
        .flatMap((text) => /[0-9a-f]{8}/.exec(text)?.[0] ?? [])
        .filter((mark) => !seen.has(mark));
      if (fresh.length === 0) return;
      for (const mark of fresh) seen.add(mark);
      // The frame that shows it: painting starts after this callback and ends before the next one.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          const at = performance.timeOrigin + performance.now();
          for (const mark of fresh) {
            notes.shownAt.set(mark, at);
            notes.wanted.get(mark)?.(at);
          }
        }),
      );
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    look();
    Object.assign(globalThis, { rowNotes: notes });
  });
}

function paintedRow(page: Page, runId: string): Promise<number> {
  const shown = page.evaluate((mark) => {
    const { rowNotes } = globalThis as unknown as { rowNotes: RowNotes };
    return rowNotes.shownAt.get(mark) ?? new Promise<number>((resolve) => rowNotes.wanted.set(mark, resolve));
  }, runId.slice(-MARK_LENGTH));
  return within(SHOWN_WITHIN_MS, `The request of run ${runId} was not shown in ${SHOWN_WITHIN_MS} ms.`, shown);
}
