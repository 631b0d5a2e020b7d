import { derivedId, nextDue } from '@countersign/core/engine';
import type { Actor, ClockPort, LoggerPort, StartTimerRecord, StoragePort } from '@countersign/core/plugin';
import type { CommandQueue } from '../command-queue.js';
import { startByEvent } from '../delivery/event-runs.js';
import { isRefused } from '../tolerance.js';
import { WakeableLoop } from '../wakeable-loop.js';

const DUE_AT_ONCE = 100;

/**
 * Starts runs at the times of start events. Each time starts one run, whoever notices it: its id is made of the time, and
 * the timer is moved on behind the start, if it still stands where it stood.
 */
export class StartTimerLoop {
  private readonly loop: WakeableLoop;

  constructor(
    private readonly storage: StoragePort,
    private readonly queue: Pick<CommandQueue, 'submit'>,
    private readonly clock: ClockPort,
    private readonly log: LoggerPort,
    pollMs: number,
    private readonly actor: Actor,
  ) {
    this.loop = new WakeableLoop('start timers', log, pollMs, () => this.round());
    clock.onSet?.(() => this.wake());
  }

  start(): void {
    this.loop.start();
  }

  wake(): void {
    this.loop.wake();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  private async round(): Promise<number> {
    const due = await this.storage.dueStartTimers(this.clock.now(), DUE_AT_ONCE);
    await Promise.all(due.map((timer) => this.fire(timer)));
    if (due.length > 0) return 0;
    const next = await this.storage.nextStartTimerAt();
    return next === null ? Number.POSITIVE_INFINITY : Math.max(0, next - this.clock.now());
  }

  private async fire(timer: StartTimerRecord): Promise<void> {
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
