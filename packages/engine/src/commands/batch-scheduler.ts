/** Maximum number of event-loop turns to wait. */
const MAX_TURNS = 10;

export interface BatchProgress {
  /** Current number of items. */
  readonly count: () => number;
  /** Number of items at which waiting no longer pays off. */
  readonly targetCount: () => number;
}

/**
 * Calls `onReady` on the first event-loop turn that adds no items, when `targetCount()` is reached, or on the tenth
 * turn.
 *
 * Requests that are sent together are read and checked over a few turns; a request that misses the batch by one turn
 * would wait for a whole transaction. A single request waits one extra, idle turn.
 *
 * @param nextTurn schedules a callback for the next turn; tests replace it
 */
export function scheduleBatch(
  { count, targetCount }: BatchProgress,
  onReady: () => void,
  nextTurn: (callback: () => void) => unknown = setImmediate,
): void {
  let previousCount = 0;
  let turns = 0;
  const checkProgress = (): void => {
    const currentCount = count();
    turns += 1;
    if (turns >= MAX_TURNS || currentCount <= previousCount || currentCount >= targetCount()) {
      onReady();
      return;
    }
    previousCount = currentCount;
    nextTurn(checkProgress);
  };
  nextTurn(checkProgress);
}
