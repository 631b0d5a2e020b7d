import { type ApiError, isApiError } from '@countersign/core/plugin';
import {
  type EngineConflict,
  type ErrorCode,
  isEngineConflict,
  isModelRefusedError,
  type ModelRefusedError,
} from '@countersign/model';

const GONE: ReadonlySet<string> = new Set<ErrorCode>(['not_waiting', 'run_already_ended', 'run_not_found']);
const PASSING: ReadonlySet<string> = new Set<ErrorCode>(['service_unavailable', 'conflict']);

/** Whether a command came too late: what it was about is no more, or someone else has done it. */
export function isObsolete(error: unknown): boolean {
  return isEngineConflict(error) ? error.code === 'message_delivered' : isApiError(error) && GONE.has(error.code);
}

/** Whether a command was refused for good: it would be again. */
export function isPermanentRefusal(error: unknown): error is ApiError | EngineConflict | ModelRefusedError {
  return isModelRefusedError(error) || isEngineConflict(error) || (isApiError(error) && !isTransient(error));
}

/** Whether the outcome of a command cannot be computed or stored, not even halted. */
export function isNotStorable(error: unknown): error is ApiError {
  return isApiError(error) && error.code === ('command_not_storable' satisfies ErrorCode);
}

function isTransient({ code, definition }: ApiError): boolean {
  return PASSING.has(code) || definition?.retryable === true;
}
