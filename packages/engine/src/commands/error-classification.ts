import { type ApiError, isApiError } from '@countersign/core/plugin';
import {
  type EngineConflict,
  type ErrorCode,
  isEngineConflict,
  isModelRefusedError,
  type ModelRefusedError,
} from '@countersign/model';

const OBSOLETE_CODES: ReadonlySet<string> = new Set<ErrorCode>(['not_waiting', 'run_already_ended', 'run_not_found']);
const TRANSIENT_CODES: ReadonlySet<string> = new Set<ErrorCode>(['service_unavailable', 'conflict']);

/** Returns whether a command is obsolete: its target is gone or another writer handled it. */
export function isObsolete(error: unknown): boolean {
  return isEngineConflict(error)
    ? error.code === 'message_delivered'
    : isApiError(error) && OBSOLETE_CODES.has(error.code);
}

/** Returns whether a command was refused permanently: a retry would be refused as well. */
export function isPermanentRefusal(error: unknown): error is ApiError | EngineConflict | ModelRefusedError {
  return isModelRefusedError(error) || isEngineConflict(error) || (isApiError(error) && !isTransient(error));
}

/** Returns whether the outcome of a command could not be computed or stored, even when the command was halted. */
export function isNotStorable(error: unknown): error is ApiError {
  return isApiError(error) && error.code === ('command_not_storable' satisfies ErrorCode);
}

function isTransient({ code, definition }: ApiError): boolean {
  return TRANSIENT_CODES.has(code) || definition?.retryable === true;
}
