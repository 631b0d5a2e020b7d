import { brand, hasBrand } from './brand.js';

/**
 * - `workflow_version_superseded`: a start was bound to the newest version, but a newer version exists.
 * - `message_delivered`: another command has already consumed the message, inbound event or timer.
 * - `called_runs_exceeded`: a call activity cannot start a child run because too many child runs exist. The step fails
 * with this code.
 */
export type EngineConflictCode = 'workflow_version_superseded' | 'message_delivered' | 'called_runs_exceeded';

/**
 * Thrown when a command that the engine or a use case (not a client) issued is refused. The issuer handles the error.
 */
export class EngineConflict extends Error {
  constructor(
    readonly code: EngineConflictCode,
    message: string,
  ) {
    super(message);
    this.name = 'EngineConflict';
  }
}

brand(EngineConflict, 'EngineConflict');

/**
 * Returns whether a value is an {@link EngineConflict}, from any copy of this package. Use this instead of
 * `instanceof`.
 */
export function isEngineConflict(value: unknown): value is EngineConflict {
  return hasBrand(value, 'EngineConflict');
}
