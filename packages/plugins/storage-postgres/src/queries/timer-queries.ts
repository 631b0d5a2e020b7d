import type { Knex } from 'knex';
import { TimerModel } from '../models/timer-model.js';

/** Timers that are due, earliest first. */
export async function dueTimers(
  knex: Knex,
  now: number,
  limit: number,
): Promise<{ timerId: string; runId: string; dueAt: number }[]> {
  const rows = await TimerModel.query(knex)
    .select('timer_id', 'run_id', 'due_at')
    .where('due_at', '<=', new Date(now))
    .orderBy(['due_at', 'timer_id'])
    .limit(limit);
  return rows.map(({ timerId, runId, dueAt }) => ({ timerId, runId, dueAt }));
}

/** When the next timer is due (ms since the epoch), or `null`. */
export async function nextTimerAt(knex: Knex): Promise<number | null> {
  const row = await TimerModel.query(knex).select('due_at').orderBy(['due_at', 'timer_id']).first();
  return row?.dueAt ?? null;
}
