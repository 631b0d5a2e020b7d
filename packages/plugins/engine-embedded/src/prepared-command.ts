import type { RunWrite } from '@countersign/core/ports';
import type { PreparedWrite } from './build-run-write.js';
import type { PendingCommand } from './pending-command.js';
import type { CompiledVersion } from './workflow-cache.js';

/** A command that has been decided, with what it writes. */
export interface PreparedCommand {
  readonly pending: PendingCommand;
  readonly runId: string;
  readonly decided: PreparedWrite;
  readonly write: RunWrite;
  /** The version that the run is on afterwards. */
  readonly workflow: CompiledVersion;
}

/** What the queue tells the parts that act on a commit. */
export interface CommitListener {
  committed(write: RunWrite, decided: PreparedWrite, workflow: CompiledVersion): void;
  /** A reserved job slot that was not used after all. */
  discarded(write: RunWrite): void;
}
