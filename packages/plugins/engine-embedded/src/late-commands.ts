import type { PendingCommand } from './pending-command.js';
import type { PreparedCommand } from './prepared-command.js';

/** Commands that may be evaluated beside their batch at once; what one batch leaves behind may exceed it. */
const MAX_EVALUATED = 64;
/** Transactions' worth of commands that may wait to be written: each keeps its run busy and has reserved room for its jobs. */
const MAX_READY_BATCHES = 2;

/** What the queue does for late commands. */
export interface LateCommandsHost {
  /** Writes commands with one transaction. */
  commit(prepared: readonly PreparedCommand[]): Promise<void>;
  /** The evaluation or the commit of commands failed that have no other try coming. */
  failed(commands: readonly PendingCommand[], error: unknown): void;
  /** A command is done with, or waits for its next try. */
  finished(runId: string): void;
}

interface LateCommand {
  readonly runId: string;
  readonly pending: PendingCommand;
  /** How often it was tried before. */
  readonly attempts: number;
  readonly prepared: PreparedCommand;
}

/**
 * Commands that take longer to be evaluated than their batch waits for. Their runs stay busy until they are written. One
 * transaction at a time takes all that are ready by then, so that batches find the database free, and a slow one is waited for
 * once by all of them.
 */
export class LateCommands {
  private evaluated = 0;
  private readonly ready: LateCommand[] = [];
  private isWriting = false;
  private waitingForRoom: (() => void)[] = [];

  /** @param maxBatch number of commands that one transaction takes */
  constructor(
    private readonly host: LateCommandsHost,
    private readonly maxBatch: number,
  ) {}

  get isIdle(): boolean {
    return this.evaluated === 0 && this.ready.length === 0 && !this.isWriting;
  }

  /** Resolves when more of them may be evaluated. With too many, whoever sends more has to wait. */
  async room(): Promise<void> {
    while (this.evaluated >= MAX_EVALUATED || this.ready.length >= MAX_READY_BATCHES * this.maxBatch)
      await new Promise<void>((resolve) => this.waitingForRoom.push(resolve));
  }

  private mayHaveRoom(): void {
    for (const resolve of this.waitingForRoom.splice(0)) resolve();
  }

  /** @param evaluating `undefined` where the command is refused, or waits for its next try */
  add(runId: string, pending: PendingCommand, evaluating: Promise<PreparedCommand | undefined>): void {
    const { attempts } = pending;
    this.evaluated += 1;
    const evaluated = (): void => {
      this.evaluated -= 1;
      this.mayHaveRoom();
    };
    void evaluating.then(
      (prepared) => {
        evaluated();
        if (prepared === undefined) return this.host.finished(runId);
        this.ready.push({ runId, pending, attempts, prepared });
        void this.write();
      },
      (error: unknown) => {
        evaluated();
        this.host.failed(withoutTry([{ pending, attempts }]), error);
        this.host.finished(runId);
      },
    );
  }

  private async write(): Promise<void> {
    if (this.isWriting) return;
    this.isWriting = true;
    while (this.ready.length > 0) {
      const round = this.ready.splice(0, this.maxBatch);
      this.mayHaveRoom();
      try {
        await this.host.commit(round.map(({ prepared }) => prepared));
      } catch (error) {
        this.host.failed(withoutTry(round), error);
      }
      this.isWriting = this.ready.length > 0;
      for (const { runId } of round) this.host.finished(runId);
    }
  }
}

/** What went back into the queue meanwhile has another try coming. */
function withoutTry(commands: readonly Pick<LateCommand, 'pending' | 'attempts'>[]): PendingCommand[] {
  return commands.flatMap(({ pending, attempts }) => (pending.attempts === attempts ? [pending] : []));
}
