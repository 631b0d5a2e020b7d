import { CountersignError, ModelRefusedError } from '@countersign/core/plugin';

const GONE: ReadonlySet<string> = new Set(['not_waiting', 'run_already_ended', 'run_not_found', 'message_delivered']);
const PASSING: ReadonlySet<string> = new Set(['service_unavailable', 'conflict']);

/** Whether a command came too late: what it was about is no more, or somebody else has done it. */
export function isGone(error: unknown): boolean {
  return error instanceof CountersignError && GONE.has(error.code);
}

/** Whether a command was refused for good: it would be again. */
export function isRefused(error: unknown): error is CountersignError | ModelRefusedError {
  return error instanceof ModelRefusedError || (error instanceof CountersignError && !PASSING.has(error.code));
}
