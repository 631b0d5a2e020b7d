const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Time in ms before a second signal forces the stop. npm forwards a Ctrl-C that the terminal has already sent to its
 * whole process group, so one key press arrives twice.
 */
const REPEATED_SIGNAL_MS = 1_000;

const PARENT_CHECK_MS = 500;

export interface Termination {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
  /** Resolves with the first signal, and rejects with an uncaught error. */
  readonly requested: Promise<void>;
  dispose(): void;
}

/** Listens for the signals that end a process. `onForce` is called if a signal is repeated. */
export function listenForTermination(onForce: () => void, now: () => number = Date.now): Termination {
  const controller = new AbortController();
  const { promise, resolve, reject } = withResolvers();
  let firstSignalAt: number | undefined;
  const listener = (): void => {
    if (firstSignalAt === undefined) {
      firstSignalAt = now();
      controller.abort();
      resolve();
    } else if (now() - firstSignalAt > REPEATED_SIGNAL_MS) {
      onForce();
    }
  };
  // An uncaught error leaves the process in an unknown state: it stops gracefully, and the next start recovers.
  const onUncaughtException = (error: unknown): void => {
    controller.abort();
    reject(error);
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  process.on('uncaughtException', onUncaughtException);
  const parentTimer = watchParent(listener);
  return {
    signal: controller.signal,
    requested: promise,
    dispose: () => {
      for (const signal of SIGNALS) process.off(signal, listener);
      process.off('uncaughtException', onUncaughtException);
      clearInterval(parentTimer);
    },
  };
}

/**
 * Treats the end of the parent as a signal if npm started this process. npm runs a script in a shell and forwards
 * signals only to that shell, which ends and leaves its child running.
 */
function watchParent(onParentExit: () => void): NodeJS.Timeout | undefined {
  if (process.env['npm_lifecycle_event'] === undefined) return undefined;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onParentExit();
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
  // Prevents an unhandled rejection; callers that wait for the promise still get the error.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
