import type { ClockPort, LoggerPort } from '@countersign/core/plugin';
import type { NextStartTime, StartTimerRecord, StoragePort } from '@countersign/core/ports';
import { type Actor, computeNextCycleTime } from '@countersign/model';
import type { CommandQueue } from '../commands/command-queue.js';
import { startRunByEvent } from '../messaging/start-run-by-event.js';
import { isObsolete, isPermanentRefusal } from '../commands/error-classification.js';

/**
 * Starts runs at the times of timer start events. Each due time starts at most one run, no matter which servers fire it
 * and how late: the transaction that starts the run also advances the timer from its previous time.
 */
export class StartTimers {
  constructor(
    private readonly storage: Pick<StoragePort, 'advanceStartTimer'>,
    private readonly queue: Pick<CommandQueue, 'submit' | 'newRunId'>,
    private readonly clock: ClockPort,
    private readonly log: LoggerPort,
    private readonly actor: Actor,
  ) {}

  async fire(timer: StartTimerRecord): Promise<void> {
    const { workflowId, elementId, dueAt, fired } = timer;
    const next = computeNextStart(timer, this.clock.now());
    if (fired) {
      this.log.info(
        { workflowId, elementId, dueAt },
        'skipped the due time of a start timer, because a previous version already started a run for it',
      );
      return this.storage.advanceStartTimer(timer, next);
    }
    const context = { actor: this.actor, from: null, traceId: null };
    try {
      await startRunByEvent(this.queue, { ...timer, payload: {}, context, cause: { from: 'startTimer', timer, next } });
    } catch (error) {
      if (isObsolete(error)) return;
      if (!isPermanentRefusal(error)) throw error;
      this.log.error({ err: error, workflowId, elementId }, 'could not start a run for a start timer');
      await this.storage.advanceStartTimer(timer, next);
    }
  }
}

/** Returns the next due time; `null` if there is none. For missed times, see `parseTimerCycle`. */
function computeNextStart({ cycle, dueAt }: StartTimerRecord, now: number): NextStartTime | null {
  if (cycle === null) return null;
  const next = computeNextCycleTime(cycle.text, dueAt, cycle.left, now);
  return next === undefined ? null : { dueAt: next.dueAt, cycle: { text: cycle.text, left: next.left } };
}
