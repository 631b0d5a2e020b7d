import type { RequestContext } from '@countersign/core/ports';
import { type Actor, type ChildReport, type Command, type OutgoingMessage, SYSTEM_ACTOR } from '@countersign/model';
import type { CommandAction } from '../commands/command-actions.js';
import type { CommandQueue } from '../commands/command-queue.js';
import type { NewRunTarget } from '../commands/pending-command.js';
import { isObsolete, isNotStorable, isPermanentRefusal } from '../commands/error-classification.js';
import type { WorkflowCache } from '../caches/workflow-cache.js';
import { buildStartCommand } from './start-run-by-event.js';

type MessageOfKind<K extends OutgoingMessage['kind']> = Extract<OutgoingMessage, { kind: K }>;

/**
 * Handler of messages between call activities and the runs that they start. Each message is consumed in the transaction
 * of the command that it causes, so it takes effect once.
 */
export class ChildRuns {
  constructor(
    private readonly queue: Pick<CommandQueue, 'submit'>,
    private readonly workflows: WorkflowCache,
  ) {}

  /** Starts a child run. If the start is refused, reports that to the call activity. */
  async start(message: MessageOfKind<'child.start'>, initiator: Actor): Promise<void> {
    try {
      await this.tryStart(message, initiator);
    } catch (error) {
      if (isObsolete(error) || !isPermanentRefusal(error)) throw error;
      const report = { kind: 'failed', code: error.code, message: error.message } as const;
      await this.reportTo(message.parent.runId, message, report);
    }
  }

  /**
   * Reports to the call activity that a child run could not be started despite retries. An operator can then recover
   * the step.
   */
  async reportNotStarted(message: MessageOfKind<'child.start'>, error: unknown): Promise<void> {
    const reason = error instanceof Error ? error.message : String(error);
    await this.reportTo(message.parent.runId, message, {
      kind: 'failed',
      code: 'child_not_started',
      message: `The child run could not be started: ${reason}`,
    });
  }

  /** Cancels a child run. A child run that has already ended stays unchanged. */
  async cancel({ messageId, childRunId, reason }: MessageOfKind<'child.cancel'>): Promise<void> {
    await rethrowNotStorableAsRetryable(
      this.submit(childRunId, 'run.cancel', messageId, { type: 'cancel', actor: SYSTEM_ACTOR, reason }),
    );
  }

  /**
   * Reports the result of a child run to its parent run. If the parent run cannot store the result, an incident is
   * raised on its call activity.
   */
  async report(message: MessageOfKind<'parent.report'>): Promise<void> {
    const { parentRunId, report } = message;
    // An escalating child run continues, and a rejection must end the parent run as well. These reports, and that of a
    // cancellation, are retried until they are stored.
    const isResult = report.kind === 'completed' || report.kind === 'error';
    if (!isResult) return rethrowNotStorableAsRetryable(this.reportTo(parentRunId, message, report));
    try {
      await this.reportTo(parentRunId, message, report);
    } catch (error) {
      if (!isNotStorable(error)) throw error;
      const { contributors } = report;
      const failed = { kind: 'failed', code: error.code, message: error.message } as const;
      await rethrowNotStorableAsRetryable(
        this.reportTo(parentRunId, message, contributors === undefined ? failed : { ...failed, contributors }),
      );
    }
  }

  /**
   * Sends contributors to a related run. A run that has ended or already has the contributors refuses the command. Any
   * other failure is retried, because separation of duties relies on a complete list of contributors.
   */
  async addContributors({
    messageId,
    childRunId,
    toRunId,
    contributors,
  }: MessageOfKind<'contributors'>): Promise<void> {
    await rethrowNotStorableAsRetryable(
      this.submit(toRunId, 'contributors.add', messageId, {
        type: 'contributors.add',
        actor: SYSTEM_ACTOR,
        childRunId,
        contributors,
      }),
    );
  }

  private async tryStart(message: MessageOfKind<'child.start'>, initiator: Actor): Promise<void> {
    const { messageId, childRunId, parent, inputs, inputTaints, contributors, businessKey } = message;
    await this.queue.submit({
      target: await this.resolveTarget(message),
      context: { actor: initiator, from: `run:${parent.runId}`, traceId: null },
      action: 'run.start',
      cause: { messageId, from: 'outbox' },
      command: (workflow) => ({
        ...buildStartCommand(workflow, childRunId, initiator),
        inputs,
        ...(inputTaints === undefined ? {} : { inputTaints }),
        ...(contributors === undefined ? {} : { contributors }),
        businessKey,
        parent,
      }),
    });
  }

  private async resolveTarget({
    childRunId,
    workflowId,
    parent,
    binding,
  }: MessageOfKind<'child.start'>): Promise<NewRunTarget> {
    const target = { kind: 'new', runId: childRunId, workflowId, parentRunId: parent.runId } as const;
    if (binding === 'latest') return { ...target, version: undefined, onlyNewest: true };
    const version =
      typeof binding === 'number' ? binding : await this.workflows.findVersionNumber(workflowId, binding.digest);
    return { ...target, version, onlyNewest: false };
  }

  private async reportTo(
    parentRunId: string,
    { messageId, childRunId }: { messageId: string; childRunId: string },
    report: ChildReport,
  ): Promise<void> {
    await this.submit(parentRunId, 'child.report', messageId, {
      type: 'child.report',
      actor: SYSTEM_ACTOR,
      childRunId,
      report,
    });
  }

  private async submit(runId: string, action: CommandAction, messageId: string, command: Command): Promise<void> {
    const context: RequestContext = { actor: SYSTEM_ACTOR, from: null, traceId: null };
    await this.queue.submit({
      target: { kind: 'run', runId },
      context,
      action,
      cause: { messageId, from: 'outbox' },
      command: () => command,
    });
  }
}

/**
 * Converts `command_not_storable` to an error that is retried with exponential backoff, because the message must not be
 * dropped.
 */
async function rethrowNotStorableAsRetryable(delivery: Promise<void>): Promise<void> {
  try {
    await delivery;
  } catch (error) {
    if (!isNotStorable(error)) throw error;
    throw new Error('The effect of a message between runs could not be stored.', { cause: error });
  }
}
