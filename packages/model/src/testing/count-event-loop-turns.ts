/**
 * Counts the turns of the event loop until some work is done.
 *
 * @param onTurn called with the number of each turn, from 1
 */
export async function countEventLoopTurns<T>(
  work: () => T | Promise<T>,
  onTurn: (turn: number) => void = () => undefined,
): Promise<{ readonly value: T; readonly turns: number }> {
  let turns = 0;
  let isDone = false;
  const countTurn = (): void => {
    onTurn((turns += 1));
    if (!isDone) setImmediate(countTurn);
  };
  setImmediate(countTurn);
  const value = await work();
  isDone = true;
  return { value, turns };
}
