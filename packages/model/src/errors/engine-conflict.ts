import { brand, hasBrand } from './brand.js';

/**
 * - `workflow_version_superseded`: a start was to happen only on the newest version, and there is a newer one.
 * - `message_delivered`: another server has done what this delivery would do.
 * - `called_runs_exceeded`: a call activity can't start a run, as too many called runs exist. The step fails with it.
 */
export type EngineConflictCode = 'workflow_version_superseded' | 'message_delivered' | 'called_runs_exceeded';

/** Why a command of the engine or of a use case, rather than of a client, was refused. Whoever gave the command handles it. */
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

/** Whether this is an {@link EngineConflict}, of any copy of this package: use this instead of `instanceof`. */
export function isEngineConflict(value: unknown): value is EngineConflict {
  return hasBrand(value, 'EngineConflict');
}
