import type { ClockPort, FailureLog } from '@countersign/core/plugin';
import type { StoragePort } from '@countersign/core/ports';
import type { Refusal } from '@countersign/model';
import { toAuditTarget } from './build-run-write.js';
import type { PendingCommand } from './pending-command.js';
import { buildHalt, buildNotStorableError, buildRefusalError, buildUnavailableError } from './refusals.js';
import type { WaitingCommands } from './waiting-commands.js';

/** Handler of commands that are not written as evaluated. */
export class UnwrittenCommands {
  /** Number of commands whose outcome could not be computed or stored. */
  private haltedCount = 0;

  /** @param failureLog log of commands that could not be written */
  constructor(
    private readonly storage: StoragePort,
    private readonly waitingCommands: WaitingCommands,
    private readonly clock: ClockPort,
    private readonly failureLog: FailureLog,
  ) {}

  /** Number of commands whose outcome could not be computed or stored. */
  get notStorableCount(): number {
    return this.haltedCount;
  }

  fail(pending: PendingCommand, error: unknown): void {
    if (!this.requeueForKeyLookup(pending)) pending.reject(error);
  }

  /**
   * Requeues a command whose idempotency key has not been looked up yet, so that a repeated request gets its stored
   * response even if it would now be refused.
   *
   * @returns whether the command was requeued
   */
  requeueForKeyLookup(pending: PendingCommand): boolean {
    if (pending.context.idempotency === undefined || pending.keyState !== 'assumed new') return false;
    pending.keyState = 'suspect';
    this.waitingCommands.requeue(pending);
    return true;
  }

  /** Refuses a command, and records an audit event for it unless a job or the system sent it. Never rejects. */
  async refuse(pending: PendingCommand, runId: string, refusal: Refusal): Promise<void> {
    const { actor, from, traceId } = pending.context;
    try {
      if (actor.type !== 'system' && pending.fence === null) {
        await this.storage.appendAudit([
          {
            at: this.clock.now(),
            actor,
            action: pending.action,
            target: toAuditTarget(pending, runId),
            result: 'refused',
            from,
            data: { traceId, code: refusal.code },
          },
        ]);
      }
      pending.reject(await buildRefusalError(this.storage, pending, refusal));
    } catch (error) {
      this.failureLog.recordFailure(error, { runId, action: pending.action, code: refusal.code });
      pending.reject(buildUnavailableError(error));
    }
  }

  /**
   * Halts a command that fails on every retry: its own effect is stored, and each token that it moves stops with an
   * incident on its step. If that cannot be stored either, the command is rejected.
   */
  halt(pending: PendingCommand, runId: string, cause: unknown): void {
    if (pending.halt !== undefined) {
      pending.reject(buildNotStorableError(cause));
      return;
    }
    this.haltedCount += 1;
    pending.hadPermanentError = true;
    pending.halt = buildHalt(cause);
    this.failureLog.recordFailure(cause, { runId, action: pending.action, code: pending.halt.code });
    this.waitingCommands.requeue(pending, true);
  }
}
