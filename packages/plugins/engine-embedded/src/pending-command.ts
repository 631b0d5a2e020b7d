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
import type { CompiledVersion } from './workflow-cache.js';

/** What a command is about: a run to be started, a run, or the run of an approval or of a question. */
export type Target =
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
}

/** A command on its way into a transaction. */
export interface PendingCommand {
  readonly target: Target;
  readonly context: RequestContext;
  /** Name in the audit trail, for example `approval.vote`. */
  readonly action: CommandAction;
  readonly fence: { readonly jobId: string; readonly epoch: number } | null;
  /** The key that the vote is signed with, and whose it must be. */
  readonly signingKey: RunWrite['signingKey'];
  /** Whether the job that failed may have done its work all the same. */
  readonly isOpen: boolean;
  /** What the audit trail tells of it besides who, what and when. */
  readonly details: JsonObject;
  /** What it is the effect of. */
  readonly cause: CommandCause | null;
  readonly respond: BuildResponse | null;
  /** The version that the command moves the run to. */
  readonly toVersion: number | null;
  command(workflow: CompiledVersion | undefined, target: CompiledVersion | undefined): Command;
  /** Its number in the order in which commands came. */
  readonly arrival: number;
  /** How often it was decided again because someone else was faster. */
  attempts: number;
  /** Since when its run was found locked (`performance.now()`), and how often it was tried since. */
  locked?: { readonly tries: number; readonly since: number };
  /** Whether the database has refused its write with a permanent error. */
  hadPermanentFault?: boolean;
  /** Set if the command halts, with the reason. */
  halt?: Halt;
  /** Whether the next decision must be made on what is stored, not on what this process remembers. */
  fresh: boolean;
  /**
   * What is known of its idempotency key. Nearly all keys are new, so they are taken to be (`assumed new`), and the commit
   * checks that. Only where the command would be refused, or the commit says so, it is `suspect`, and looked up.
   */
  key: 'assumed new' | 'suspect' | 'new';
  readonly resolve: (answer: QueuedResponse) => void;
  readonly reject: (error: unknown) => void;
}

/** A command as it is put into the queue. */
export type NewCommand = Pick<PendingCommand, 'target' | 'context' | 'action' | 'command'> &
  Partial<Pick<PendingCommand, 'respond' | 'fence' | 'isOpen' | 'details' | 'cause' | 'toVersion' | 'signingKey'>>;

export interface QueuedResponse extends CommandResponse {
  readonly outcome: CommandOutcome | null;
}
