import { setTimeout as delay } from 'node:timers/promises';
import { WORKFLOW_ID } from '../workload/approval-workflow.js';
import type { ApiCaller } from './api-caller.js';
import { Expected, type Follower } from './follower.js';

/** Pause between two polls of the lists. */
const PAUSE_MS = 20;
/** More than are in flight, so that a pending one is on the newest page. */
const PAGE = 100;

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
  private readonly approvals = new Expected();
  private readonly ends = new Expected();
  private looking: Promise<void> | undefined;
  private stopped = false;
  private failure: Error | undefined;

  constructor(private readonly caller: ApiCaller) {}

  start(): Promise<void> {
    this.looking = this.look().catch((error: unknown) => {
      this.failure = error instanceof Error ? error : new Error(String(error));
    });
    return Promise.resolve();
  }

  approvalOf(runId: string): Promise<string> {
    return this.approvals.of(runId);
  }

  endOf(runId: string): Promise<string> {
    return this.ends.of(runId);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.looking;
    if (this.failure !== undefined) throw this.failure;
  }

  private async look(): Promise<void> {
    while (!this.stopped) {
      await Promise.all([this.lookAtApprovals(), this.lookAtRuns()]);
      await delay(PAUSE_MS);
    }
  }

  private async lookAtApprovals(): Promise<void> {
    if (this.approvals.size === 0) return;
    const { items } = (await this.caller.get(`/api/approvals?workflowId=${WORKFLOW_ID}&limit=${PAGE}`)) as {
      items: ApprovalItem[];
    };
    for (const { runId, approvalId } of items) this.approvals.tellWaiting(runId, approvalId);
  }

  private async lookAtRuns(): Promise<void> {
    if (this.ends.size === 0) return;
    const { items } = (await this.caller.get(`/api/runs?workflowId=${WORKFLOW_ID}&limit=${PAGE}`)) as {
      items: RunItem[];
    };
    for (const { runId, outcome } of items) if (outcome !== null) this.ends.tellWaiting(runId, outcome);
  }
}
