/** Maximum time that work may block the event loop, in ms. */
const TIME_SLICE_MS = 10;

/**
 * Runs work that yields wherever it can be interrupted. If the work ends within {@link TIME_SLICE_MS} ms, returns its
 * result synchronously. Longer work releases the event loop after each such time slice, so that other requests are
 * served in between. No other code may change the data that the work reads until it is done.
 *
 * If several such tasks run concurrently, each turn of the event loop runs one slice of one task.
 */
export function runTimeSliced<T>(work: Iterator<void, T>): T | Promise<T> {
  const step = runTimeSlice(work);
  return step.done === true ? step.value : continueTimeSliced(work);
}

/** Runs interruptible work synchronously, without releasing the event loop. */
export function runToCompletion<T>(work: Iterator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Maps items one by one, and yields after each. */
export function* mapInPieces<T, U>(items: Iterable<T>, transform: (item: T) => U): Generator<void, U[]> {
  const results: U[] = [];
  for (const item of items) {
    results.push(transform(item));
    yield;
  }
  return results;
}

async function continueTimeSliced<T>(work: Iterator<void, T>): Promise<T> {
  for (;;) {
    await yieldToEventLoop();
    const step = runTimeSlice(work);
    if (step.done === true) return step.value;
  }
}

function runTimeSlice<T>(work: Iterator<void, T>): IteratorResult<void, T> {
  const end = performance.now() + TIME_SLICE_MS;
  for (;;) {
    const step = work.next();
    if (step.done === true || performance.now() >= end) return step;
  }
}

const waiters: (() => void)[] = [];

/** Waits for the next turn of the event loop, between two steps of long work. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    waiters.push(resolve);
    if (waiters.length === 1) scheduleImmediate(resumeFirstWaiter);
  });
}

function resumeFirstWaiter(): void {
  const first = waiters.shift();
  if (waiters.length > 0) scheduleImmediate(resumeFirstWaiter);
  first?.();
}

/** Browsers have no `setImmediate`. */
function scheduleImmediate(work: () => void): void {
  if (typeof setImmediate === 'function') setImmediate(work);
  else setTimeout(work, 0);
}
