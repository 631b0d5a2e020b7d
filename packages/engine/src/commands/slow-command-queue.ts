import type { PendingCommand } from './pending-command.js';
import type { PreparedCommand } from './prepared-command.js';

/**
 * Maximum number of commands that are evaluated outside their batch at the same time; the slow commands of one batch
 * may exceed it.
 */
const MAX_CONCURRENT_EVALUATIONS = 64;
/**
 * Maximum number of batches of commands that wait to be written. Each command keeps its run busy and reserves capacity
 * for its jobs.
 */
const MAX_READY_BATCHES = 2;

/** Operations of the command queue that the queue of slow commands uses. */
export interface SlowCommandQueueHost {
  /** Writes commands in one transaction. */
  commit(prepared: readonly PreparedCommand[]): Promise<void>;
  /** Handles a failed evaluation or commit of commands that will not be retried. */
  onFailed(commands: readonly PendingCommand[], error: unknown): void;
  /** Called when a command is finished or waits for its next attempt. */
  onFinished(runId: string): void;
}

interface SlowCommand {
  readonly runId: string;
  readonly pending: PendingCommand;
  /** Number of retries before this evaluation. */
  readonly retryCount: number;
  readonly prepared: PreparedCommand;
}

/**
 * Queue of commands whose evaluation takes longer than their batch waits. Their runs stay busy until the commands are
 * written. Only one transaction at a time writes the commands that are ready, so that the database stays available to
 * the batches.
 */
export class SlowCommandQueue {
  private evaluatingCount = 0;
  private readonly ready: SlowCommand[] = [];
  private isWriting = false;
  private waitingForRoom: (() => void)[] = [];

  /** @param maxBatch maximum number of commands in one transaction */
  constructor(
    private readonly host: SlowCommandQueueHost,
    private readonly maxBatch: number,
  ) {}

  get isIdle(): boolean {
    return this.evaluatingCount === 0 && this.ready.length === 0 && !this.isWriting;
  }

  /**
   * Resolves when more slow commands may be evaluated. A batch must wait for this before it hands its slow commands
   * over to this queue.
   */
  async waitForRoom(): Promise<void> {
    while (this.evaluatingCount >= MAX_CONCURRENT_EVALUATIONS || this.ready.length >= MAX_READY_BATCHES * this.maxBatch)
      await new Promise<void>((resolve) => this.waitingForRoom.push(resolve));
  }

  private notifyWaitingForRoom(): void {
    for (const resolve of this.waitingForRoom.splice(0)) resolve();
  }

  /** @param evaluating resolves with `undefined` if the command is refused or waits for its next attempt */
  add(runId: string, pending: PendingCommand, evaluating: Promise<PreparedCommand | undefined>): void {
    const { retryCount } = pending;
    this.evaluatingCount += 1;
    const onEvaluated = (): void => {
      this.evaluatingCount -= 1;
      this.notifyWaitingForRoom();
    };
    void evaluating.then(
      (prepared) => {
        onEvaluated();
        if (prepared === undefined) return this.host.onFinished(runId);
        this.ready.push({ runId, pending, retryCount, prepared });
        void this.write();
      },
      (error: unknown) => {
        onEvaluated();
        this.host.onFailed(selectNotRequeued([{ pending, retryCount }]), error);
        this.host.onFinished(runId);
      },
    );
  }

  private async write(): Promise<void> {
    if (this.isWriting) return;
    this.isWriting = true;
    while (this.ready.length > 0) {
      const batch = this.ready.splice(0, this.maxBatch);
      this.notifyWaitingForRoom();
      try {
        await this.host.commit(batch.map(({ prepared }) => prepared));
      } catch (error) {
        this.host.onFailed(selectNotRequeued(batch), error);
      }
      this.isWriting = this.ready.length > 0;
      for (const { runId } of batch) this.host.onFinished(runId);
    }
  }
}

/** Selects the commands that were not requeued and will therefore not be retried. */
function selectNotRequeued(commands: readonly Pick<SlowCommand, 'pending' | 'retryCount'>[]): PendingCommand[] {
  return commands.flatMap(({ pending, retryCount }) => (pending.retryCount === retryCount ? [pending] : []));
}
