const SOON_MS = 4 * 60 * 60_000;

export type DueState = 'none' | 'later' | 'soon' | 'overdue';

/**
 * Returns how urgent a due date is.
 *
 * @param dueAt RFC 3339
 * @param now in ms
 */
export function getDueState(dueAt: string | null, now: number): DueState {
  if (dueAt === null) return 'none';
  const remainingMs = Date.parse(dueAt) - now;
  return remainingMs <= 0 ? 'overdue' : remainingMs < SOON_MS ? 'soon' : 'later';
}
