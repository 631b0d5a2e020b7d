import type { RequestContext } from '@countersign/core/ports';
import { type Actor, type ChildReport, type Command, type OutgoingMessage, SYSTEM_ACTOR } from '@countersign/model';
import type { CommandAction } from '../command-actions.js';
import type { CommandQueue } from '../command-queue.js';
import type { NewRunTarget } from '../pending-command.js';
import { isGone, isRefused } from '../tolerance.js';
import type { WorkflowCache } from '../workflow-cache.js';
import { startCommand } from './event-runs.js';

type Sent<K extends OutgoingMessage['kind']> = Extract<OutgoingMessage, { kind: K }>;

/**
 * What call activities and the runs that they start tell each other. Each message goes with the command that it becomes
 * into one transaction, so it has its effect once.
 */
export class ChildRuns {
  constructor(
    private readonly queue: Pick<CommandQueue, 'submit'>,
    private readonly workflows: WorkflowCache,
  ) {}

  /** Starts a child run. Where that can't be, the call activity is told. */
  async start(message: Sent<'child.start'>, starter: Actor): Promise<void> {
    try {
      await this.tryStart(message, starter);
    } catch (error) {
      if (isGone(error) || !isRefused(error)) throw error;
      const report = { kind: 'failed', code: error.code, message: error.message } as const;
      await this.reportTo(message.parent.runId, message, report);
    }
  }

  /** Tells the call activity that a child run could not be started, however often it was tried: an operator may recover it. */
  async giveUp(message: Sent<'child.start'>, error: unknown): Promise<void> {
    const said = error instanceof Error ? error.message : String(error);
    await this.reportTo(message.parent.runId, message, {
      kind: 'failed',
      code: 'child_not_started',
      message: `The called run could not be started: ${said}`,
    });
  }

  /** A child that has ended by itself stays as it is. */
  async cancel({ messageId, childRunId, reason }: Sent<'child.cancel'>): Promise<void> {
    await this.submit(childRunId, 'run.cancel', messageId, { type: 'cancel', actor: SYSTEM_ACTOR, reason });
  }

  async report(message: Sent<'parent.report'>): Promise<void> {
    await this.reportTo(message.parentRunId, message, message.report);
  }

  /** One that has ended has nothing to decide, and one that knows is told nothing new: both refuse. */
  async tellContributors({ messageId, childRunId, toRunId, contributors }: Sent<'contributors'>): Promise<void> {
    await this.submit(toRunId, 'contributors.add', messageId, {
      type: 'contributors.add',
      actor: SYSTEM_ACTOR,
      childRunId,
      contributors,
    });
  }

  private async tryStart(message: Sent<'child.start'>, starter: Actor): Promise<void> {
    const { messageId, childRunId, parent, inputs, inputTaints, contributors, businessKey } = message;
    await this.queue.submit({
      target: await this.targetOf(message),
      context: { actor: starter, from: `run:${parent.runId}`, traceId: null },
      action: 'run.start',
      delivery: { messageId, from: 'outbox' },
      command: (workflow) => ({
        ...startCommand(workflow, childRunId, starter),
        inputs,
        ...(inputTaints === undefined ? {} : { inputTaints }),
        ...(contributors === undefined ? {} : { contributors }),
        businessKey,
        parent,
      }),
    });
  }

  private async targetOf({ childRunId, workflowId, binding }: Sent<'child.start'>): Promise<NewRunTarget> {
    const target = { kind: 'new', runId: childRunId, workflowId } as const;
    if (binding === 'latest') return { ...target, version: undefined, onlyNewest: true };
    const version = typeof binding === 'number' ? binding : await this.workflows.versionOf(workflowId, binding.digest);
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
      delivery: { messageId, from: 'outbox' },
      command: () => command,
    });
  }
}
