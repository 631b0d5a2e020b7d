import type { LifecycleFailure } from './lifecycle.js';

/** Thrown when parts of the host failed to stop. All other parts were stopped. */
export class HostStopError extends Error {
  readonly code = 'host_stop_failed';
  readonly failures: readonly LifecycleFailure[];

  constructor(failures: readonly LifecycleFailure[]) {
    const lines = failures.map(
      ({ name, error }) => `\n- ${name}: ${error instanceof Error ? error.message : String(error)}`,
    );
    super(`Some parts did not stop properly:${lines.join('')}`, { cause: failures[0]?.error });
    this.name = 'HostStopError';
    this.failures = failures;
  }
}
