import { setTimeout as delay } from 'node:timers/promises';
import { WORKFLOW_ID } from '../workload/approval-workflow.js';
import type { ApiCaller } from './api-caller.js';
import { ExpectedValues, type Follower } from './follower.js';

/** Pause between two polls of the lists. */
const POLL_PAUSE_MS = 20;
/** More than the number of runs in flight, so that each pending approval is on the newest page. */
const PAGE_SIZE = 100;

interface ApprovalItem {
  readonly runId: string;
  readonly approvalId: string;
}

interface RunItem {
  readonly runId: string;
  readonly outcome: string | null;
}

/** Client that polls two lists for all runs: pending approvals and the newest runs. */
export class ListFollower implements Follower {
  private readonly approvals = new ExpectedValues();
  private readonly ends = new ExpectedValues();
  private pollLoop: Promise<void> | undefined;
  private stopped = false;
  private failure: Error | undefined;

  constructor(private readonly caller: ApiCaller) {}

  start(): Promise<void> {
    this.pollLoop = this.poll().catch((error: unknown) => {
      this.failure = error instanceof Error ? error : new Error(String(error));
    });
    return Promise.resolve();
  }

  waitForApproval(runId: string): Promise<string> {
    return this.approvals.waitFor(runId);
  }

  waitForEnd(runId: string): Promise<string> {
    return this.ends.waitFor(runId);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.pollLoop;
    if (this.failure !== undefined) throw this.failure;
  }

  private async poll(): Promise<void> {
    while (!this.stopped) {
      await Promise.all([this.pollApprovals(), this.pollRuns()]);
      await delay(POLL_PAUSE_MS);
    }
  }

  private async pollApprovals(): Promise<void> {
    if (this.approvals.waiterCount === 0) return;
    const { items } = (await this.caller.get(`/api/approvals?workflowId=${WORKFLOW_ID}&limit=${PAGE_SIZE}`)) as {
      items: ApprovalItem[];
    };
    for (const { runId, approvalId } of items) this.approvals.notifyWaiting(runId, approvalId);
  }

  private async pollRuns(): Promise<void> {
    if (this.ends.waiterCount === 0) return;
    const { items } = (await this.caller.get(`/api/runs?workflowId=${WORKFLOW_ID}&limit=${PAGE_SIZE}`)) as {
      items: RunItem[];
    };
    for (const { runId, outcome } of items) if (outcome !== null) this.ends.notifyWaiting(runId, outcome);
  }
}
