import type { Command } from '@countersign/core/engine';
import type { Answer, CommandOutcome, RequestContext, Respond } from '@countersign/core/plugin';
import type { CommandAction } from './command-actions.js';
import type { CompiledVersion } from './workflow-cache.js';

/** What a command is about: a run to be started, a run, or the run of an approval. */
export type Target =
  | { readonly kind: 'new'; readonly runId: string; readonly workflowId: string; readonly version: number | undefined; readonly onlyNewest: boolean }
  | { readonly kind: 'run'; readonly runId: string }
  | { readonly kind: 'approval'; readonly approvalId: string };

/** A command on its way into a transaction. */
export interface PendingCommand {
  readonly target: Target;
  readonly context: RequestContext;
  /** Name in the audit trail, for example `approval.vote`. */
  readonly action: CommandAction;
  readonly fence: { readonly jobId: string; readonly epoch: number } | null;
  readonly respond: Respond | null;
  command(workflow: CompiledVersion | undefined): Command;
  /** How often it was decided anew because somebody else was faster. */
  attempts: number;
  /** Whether the next decision must be made on what is stored, not on what this process remembers. */
  fresh: boolean;
  readonly resolve: (answer: CommandAnswer) => void;
  readonly reject: (error: unknown) => void;
}

export interface CommandAnswer extends Answer {
  readonly outcome: CommandOutcome | null;
}
