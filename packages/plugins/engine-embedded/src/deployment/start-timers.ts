import { derivedId, nextDue } from '@countersign/core/engine';
import type { Actor, ClockPort, LoggerPort, StartTimerRecord, StoragePort } from '@countersign/core/plugin';
import type { CommandQueue } from '../command-queue.js';
import { startByEvent } from '../delivery/event-runs.js';
import { isRefused } from '../tolerance.js';

/**
 * Starts runs at the times of start events. Each time starts one run, whoever notices it: its id is made of the time, and
 * the timer is moved on behind the start, if it still stands where it stood.
 */
export class StartTimers {
  constructor(
    private readonly storage: Pick<StoragePort, 'advanceStartTimer'>,
    private readonly queue: Pick<CommandQueue, 'submit'>,
    private readonly clock: ClockPort,
    private readonly log: LoggerPort,
    private readonly actor: Actor,
  ) {}

  async fire(timer: StartTimerRecord): Promise<void> {
    const { workflowId, elementId } = timer;
    const runId = runIdOf(timer);
    const context = { actor: this.actor, from: null, traceId: null };
    try {
      await startByEvent(this.queue, { ...timer, runId, payload: {}, context });
    } catch (error) {
      if (!isRefused(error)) throw error;
      this.log.error({ err: error, workflowId, elementId }, 'a timer could not start a run');
    }
    await this.storage.advanceStartTimer(timer, nextTime(timer, this.clock.now()));
  }
}

/** The same for the same time of the same start event, also on a version that was deployed meanwhile. */
function runIdOf({ workflowId, elementId, trigger, dueAt }: StartTimerRecord): string {
  const time = Math.max(0, dueAt).toString(16).padStart(12, '0');
  return derivedId(`${time.slice(0, 8)}-${time.slice(8)}`, workflowId, elementId, String(trigger));
}

/** Times that were missed: see `parseTimerCycle`. */
function nextTime({ cycle, dueAt }: StartTimerRecord, now: number): Pick<StartTimerRecord, 'dueAt' | 'cycle'> | null {
  if (cycle === null) return null;
  const next = nextDue(cycle.text, dueAt, cycle.left, now);
  return next === undefined ? null : { dueAt: next.dueAt, cycle: { text: cycle.text, left: next.left } };
}
