import type { Change } from '@countersign/contract';
import { pauseFor, type Pause } from '../api/pause-for.js';

/** New comments on an approval. */
export interface CommentedApproval {
  readonly approvalId: string;
  readonly runId: string;
  readonly commentIds: ReadonlySet<string>;
}

/** Pause, in ms, after the comments on an approval were handled: anybody can write many, and every client hears of all. */
export const PAUSE_MS = 1_000;

/** Collects the changes of the feed by approval, and handles one approval at a time, with a pause after each. */
export class CommentCollector {
  private readonly waiting = new Map<string, CommentedApproval>();
  private isHandling = false;
  private isStopped = false;

  /** @param handle loads and displays the comments; it must not reject */
  constructor(
    private readonly handle: (approval: CommentedApproval) => Promise<void>,
    private readonly pause: Pause = pauseFor,
  ) {}

  add({ runId, data }: Pick<Change, 'runId' | 'data'>): void {
    const { approvalId, commentId } = data;
    if (typeof approvalId !== 'string' || typeof commentId !== 'string') return;
    const commentIds = new Set(this.waiting.get(approvalId)?.commentIds).add(commentId);
    this.waiting.set(approvalId, { approvalId, runId, commentIds });
    if (!this.isHandling) void this.handleAll();
  }

  stop(): void {
    this.isStopped = true;
    this.waiting.clear();
  }

  private async handleAll(): Promise<void> {
    this.isHandling = true;
    for (let next = this.takeNext(); next !== undefined && !this.isStopped; next = this.takeNext()) {
      await this.handle(next);
      await this.pause(PAUSE_MS);
    }
    this.isHandling = false;
  }

  private takeNext(): CommentedApproval | undefined {
    const [next] = this.waiting.values();
    if (next !== undefined) this.waiting.delete(next.approvalId);
    return next;
  }
}
