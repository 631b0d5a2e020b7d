/** Turns of the event loop that are waited at most. */
const MAX_TURNS = 10;

export interface BatchProgress {
  /** How many there are by now. */
  readonly count: () => number;
  /** How many are worth no more waiting, by now. */
  readonly enough: () => number;
}

/**
 * Calls back when what comes at one moment is there: in the next turn of the event loop, or in a later one, while each turn
 * brings more. Requests that are sent together are read and checked over a few turns; whatever came a turn too late would wait
 * for the end of a whole transaction. One that comes alone waits for one turn more, in which nothing is done.
 *
 * @param nextTurn other than `setImmediate` in tests
 */
export function scheduleBatch(
  { count, enough }: BatchProgress,
  gathered: () => void,
  nextTurn: (callback: () => void) => unknown = setImmediate,
): void {
  let before = 0;
  let turns = 0;
  const look = (): void => {
    const now = count();
    turns += 1;
    if (turns >= MAX_TURNS || now <= before || now >= enough()) {
      gathered();
      return;
    }
    before = now;
    nextTurn(look);
  };
  nextTurn(look);
}
