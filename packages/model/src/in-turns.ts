/** How long work may go on before others get their turn, in ms. */
const TURN_MS = 10;

/**
 * Runs work that yields wherever it can be interrupted. What is done within some milliseconds is answered without a wait;
 * longer work lets the event loop turn every {@link TURN_MS} ms, so that other requests are served meanwhile. Whatever the
 * work reads must not be changed by anybody else until it is done.
 *
 * Where several such works go on at once, one of them gets each turn of the event loop.
 */
export function inTurns<T>(work: Iterator<void, T>): T | Promise<T> {
  const step = untilPause(work);
  return step.done === true ? step.value : later(work);
}

/** Runs such work without a pause. */
export function atOnce<T>(work: Iterator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Changes items one by one, and yields behind each. */
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

/** Lets others have their turn, between two steps of long work. */
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
