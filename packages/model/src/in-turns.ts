/** Maximum time that work may block the event loop, in ms. */
const TURN_MS = 10;

/**
 * Runs work that yields wherever it can be interrupted. Work that ends within a few milliseconds returns its result
 * synchronously; longer work releases the event loop every {@link TURN_MS} ms, so that other requests are served in
 * between. No other code may change the data that the work reads until it is done.
 *
 * If several such works run concurrently, each turn of the event loop runs one of them.
 */
export function inTurns<T>(work: Iterator<void, T>): T | Promise<T> {
  const step = untilPause(work);
  return step.done === true ? step.value : later(work);
}

/** Runs such work synchronously, without a pause. */
export function atOnce<T>(work: Iterator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Maps items one by one, and yields after each. */
export function* mapInPieces<T, U>(items: Iterable<T>, change: (item: T) => U): Generator<void, U[]> {
  const changed: U[] = [];
  for (const item of items) {
    changed.push(change(item));
    yield;
  }
  return changed;
}

async function later<T>(work: Iterator<void, T>): Promise<T> {
  for (;;) {
    await nextTurn();
    const step = untilPause(work);
    if (step.done === true) return step.value;
  }
}

function untilPause<T>(work: Iterator<void, T>): IteratorResult<void, T> {
  const end = performance.now() + TURN_MS;
  for (;;) {
    const step = work.next();
    if (step.done === true || performance.now() >= end) return step;
  }
}

const waiting: (() => void)[] = [];

/** Waits for the next turn of the event loop, between two steps of long work. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) soon(giveTurn);
  });
}

function giveTurn(): void {
  const first = waiting.shift();
  if (waiting.length > 0) soon(giveTurn);
  first?.();
}

/** Browsers have no `setImmediate`. */
function soon(work: () => void): void {
  if (typeof setImmediate === 'function') setImmediate(work);
  else setTimeout(work, 0);
}
