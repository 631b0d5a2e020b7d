import { CountersignError } from '../errors/countersign-error.js';
import type { LifecycleFailure } from './lifecycle.js';

/** Parts of the host that did not stop as they should have. All the others were stopped. */
export class HostStopError extends CountersignError {
  readonly failures: readonly LifecycleFailure[];

  constructor(failures: readonly LifecycleFailure[]) {
    const lines = failures.map(
      ({ name, error }) => `\n- ${name}: ${error instanceof Error ? error.message : String(error)}`,
    );
    super(
      'host_stop_failed',
      `Not everything stopped properly:${lines.join('')}`,
      { parts: failures.map(({ name }) => name) },
      { cause: failures[0]?.error },
    );
    this.name = 'HostStopError';
    this.failures = failures;
  }
}
