import type { RunWrite } from '@countersign/core/ports';
import type { PreparedWrite } from './build-run-write.js';
import type { PendingCommand } from './pending-command.js';
import type { CompiledVersion } from '../caches/workflow-cache.js';

/** Evaluated command with its write. */
export interface PreparedCommand {
  readonly pending: PendingCommand;
  readonly runId: string;
  readonly preparedWrite: PreparedWrite;
  readonly write: RunWrite;
  /** The version of the run after the command. */
  readonly workflow: CompiledVersion;
}

/** Callbacks of the queue for the results of commits. */
export interface CommitListener {
  committed(write: RunWrite, preparedWrite: PreparedWrite, workflow: CompiledVersion): void;
  /** Called when a prepared write is dropped, so that its reserved job slots are released. */
  discarded(write: RunWrite): void;
}
