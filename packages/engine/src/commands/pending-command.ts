import type { JsonObject } from '@countersign/core/plugin';
import type {
  CommandResponse,
  CommandOutcome,
  CommandCause,
  RequestContext,
  BuildResponse,
  RunWrite,
} from '@countersign/core/ports';
import type { Command, Halt } from '@countersign/model';
import type { CommandAction } from './command-actions.js';
import type { CompiledVersion } from '../caches/workflow-cache.js';

/** Target of a command: a new run, an existing run, or the run of an approval or a question. */
export type CommandTarget =
  | NewRunTarget
  | { readonly kind: 'run'; readonly runId: string }
  | { readonly kind: 'approval'; readonly approvalId: string }
  | { readonly kind: 'question'; readonly questionId: string };

export interface NewRunTarget {
  readonly kind: 'new';
  readonly runId: string;
  readonly workflowId: string;
  readonly version: number | undefined;
  readonly onlyNewest: boolean;
  /** The run whose call activity starts this one. */
  readonly parentRunId?: string;
}

/** Command that has not been committed yet. */
export interface PendingCommand {
  readonly target: CommandTarget;
  readonly context: RequestContext;
  /** Name in the audit trail, for example `approval.vote`. */
  readonly action: CommandAction;
  readonly fence: { readonly jobId: string; readonly epoch: number } | null;
  /** Key that signs the vote, and its required owner. */
  readonly signingKey: RunWrite['signingKey'];
  /** Whether the job that the command reports as failed may have done its work anyway. */
  readonly hasUnknownOutcome: boolean;
  /** Details for the audit trail, in addition to actor, action and time. */
  readonly details: JsonObject;
  /** The message, event or timer that caused the command. */
  readonly cause: CommandCause | null;
  readonly respond: BuildResponse | null;
  /** Whether the engine of the run waits for the command, so that it need not be announced. */
  readonly isReported: boolean;
  /** The version that the command migrates the run to. */
  readonly toVersion: number | null;
  command(workflow: CompiledVersion | undefined, target: CompiledVersion | undefined): Command;
  /** Sequence number of arrival. */
  readonly arrival: number;
  /** Number of retries, for example after a conflict with another writer. */
  retryCount: number;
  /**
   * Time at which a row that the command writes was first found locked (`performance.now()`), and the number of
   * attempts since then.
   */
  lockWait?: { readonly tries: number; readonly since: number };
  /** Whether the command has failed with a permanent error. */
  hadPermanentError?: boolean;
  /** Reason for halting the command, if it is halted. */
  halt?: Halt;
  /** Whether the next evaluation must use the stored state instead of the cached one. */
  skipCache: boolean;
  /**
   * State of the idempotency key. Nearly all keys are new, so a key is `assumed new` at first, and the commit checks
   * this. If the command would be refused, or the commit finds the key used, the key becomes `suspect` and is looked
   * up. A key that was looked up and not found is `new`.
   */
  keyState: 'assumed new' | 'suspect' | 'new';
  readonly resolve: (response: QueuedResponse) => void;
  readonly reject: (error: unknown) => void;
}

/** Command as submitted to the queue. */
export type NewCommand = Pick<PendingCommand, 'target' | 'context' | 'action' | 'command'> &
  Partial<
    Pick<
      PendingCommand,
      'respond' | 'fence' | 'hasUnknownOutcome' | 'details' | 'cause' | 'toVersion' | 'signingKey' | 'isReported'
    >
  >;

export interface QueuedResponse extends CommandResponse {
  readonly outcome: CommandOutcome | null;
}
