import { brand, hasBrand } from './brand.js';

/**
 * - `workflow_version_superseded`: a start was bound to the newest version, but a newer version exists.
 * - `message_delivered`: another server has already handled this delivery.
 * - `called_runs_exceeded`: a call activity cannot start a run, as too many called runs exist. The step fails with
 *   it.
 */
export type EngineConflictCode = 'workflow_version_superseded' | 'message_delivered' | 'called_runs_exceeded';

/** Thrown when a command of the engine or of a use case, rather than of a client, is refused. The issuer handles it. */
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
