import type { Knex } from 'knex';

interface TimerRow {
  readonly timer_id: string;
  readonly run_id: string;
  readonly due_at: number;
}

/** Returns due timers of the embedded engine, earliest first, without those of the excluded runs. */
export async function listDueTimers(
  knex: Knex,
  now: number,
  limit: number,
  excludedRunIds: readonly string[] = [],
): Promise<{ timerId: string; runId: string; dueAt: number }[]> {
  const rows = await knex<TimerRow>('timers')
    .select('timer_id', 'run_id', 'due_at')
    .where('due_at', '<=', new Date(now))
    .where((query) => {
      if (excludedRunIds.length > 0) void query.whereRaw('run_id <> ALL (?::uuid[])', [[...excludedRunIds]]);
    })
    .orderBy(['due_at', 'timer_id'])
    .limit(limit);
  return rows.map((row) => ({ timerId: row.timer_id, runId: row.run_id, dueAt: row.due_at }));
}

/**
 * Returns when the next timer of the embedded engine is due (ms since the epoch), or `null`.
 *
 * @param after only timers due after this time (ms since the epoch)
 */
export async function nextTimerAt(knex: Knex, after?: number): Promise<number | null> {
  const row = await knex<TimerRow>('timers')
    .select('due_at')
    .where('due_at', '<', 'infinity')
    .where((query) => {
      if (after !== undefined) void query.where('due_at', '>', new Date(after));
    })
    .orderBy(['due_at', 'timer_id'])
    .first();
  return row?.due_at ?? null;
}
