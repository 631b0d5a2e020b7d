import { brand, StartupError, hasBrand } from '@countersign/model';
import type { HostProblem } from './host-problem.js';

/** Thrown when the host cannot start. Lists every problem, so that all of them can be fixed at once. */
export class HostStartError extends StartupError {
  readonly problems: readonly HostProblem[];

  constructor(problems: readonly HostProblem[]) {
    const count = problems.length === 1 ? 'one problem' : `${problems.length} problems`;
    const lines = problems.map(({ message }) => `\n- ${message.replaceAll('\n', '\n  ')}`);
    const details = problems.map(({ code, message, plugins = [] }) => ({ code, message, plugins: [...plugins] }));
    const cause = problems.find((problem) => problem.cause !== undefined)?.cause;
    super(
      'host_start_failed',
      `Countersign cannot start because of ${count}:${lines.join('')}`,
      { problems: details },
      cause === undefined ? {} : { cause },
    );
    this.name = 'HostStartError';
    this.problems = problems;
  }
}

brand(HostStartError, 'HostStartError');

/**
 * Returns whether a value is a {@link HostStartError} of any copy of this package. Use this instead of `instanceof`.
 */
export function isHostStartError(value: unknown): value is HostStartError {
  return hasBrand(value, 'HostStartError');
}
