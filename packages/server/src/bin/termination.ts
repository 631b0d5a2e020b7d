const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * A second signal forces, but not at once: npm forwards the Ctrl-C that the terminal sent to its whole process group
 * already, so that one key press arrives twice.
 */
const ECHO_MS = 1_000;

const PARENT_CHECK_MS = 500;

export interface Termination {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
  /** Resolves with the first signal, and rejects with an error that nobody caught. */
  readonly requested: Promise<void>;
  dispose(): void;
}

/** Listens to the signals that end a process. `force` is called where somebody insists. */
export function onTermination(force: () => void, now: () => number = Date.now): Termination {
  const controller = new AbortController();
  const { promise, resolve, reject } = withResolvers();
  let first: number | undefined;
  const listener = (): void => {
    if (first === undefined) {
      first = now();
      controller.abort();
      resolve();
    } else if (now() - first > ECHO_MS) {
      force();
    }
  };
  // What nobody caught leaves the process in an unknown state: it stops in good order, and the next start recovers.
  const crash = (error: unknown): void => {
    controller.abort();
    reject(error);
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  process.on('uncaughtException', crash);
  const parent = watchParent(listener);
  return {
    signal: controller.signal,
    requested: promise,
    dispose: () => {
      for (const signal of SIGNALS) process.off(signal, listener);
      process.off('uncaughtException', crash);
      clearInterval(parent);
    },
  };
}

/**
 * npm runs a script by a shell and passes signals on to that shell alone, which dies of them and leaves its child behind.
 * So where npm started this process, the end of its parent is a signal, too.
 */
function watchParent(gone: () => void): NodeJS.Timeout | undefined {
  if (process.env['npm_lifecycle_event'] === undefined) return undefined;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    gone();
  }, PARENT_CHECK_MS);
  return timer.unref();
}

function withResolvers(): { promise: Promise<void>; resolve: () => void; reject: (reason: unknown) => void } {
  let resolve: () => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<void>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  // Whoever waits for it hears of it, now or later.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
