import type { JsonObject } from '@countersign/core/plugin';
import type { CommandCause, RequestContext, StartSubscriptionRecord } from '@countersign/core/ports';
import type { Actor, Command, Taints } from '@countersign/model';
import type { CommandQueue } from '../commands/command-queue.js';
import type { CompiledVersion } from '../caches/workflow-cache.js';

/** Event that starts a run. */
export interface StartingEvent extends Pick<
  StartSubscriptionRecord,
  'workflowId' | 'version' | 'elementId' | 'trigger'
> {
  readonly payload: JsonObject;
  /** Taints of data that another run sent; absent for data from outside. */
  readonly taints?: Taints;
  /** Ids of the people who contributed to the payload, in addition to the initiator of the run. */
  readonly contributors?: readonly string[];
  readonly context: RequestContext;
  /** Cause that the start consumes, so that it starts only one run even if it is delivered repeatedly. */
  readonly cause: CommandCause;
  /** Correlation key of the message, if it has one. */
  readonly correlationKey?: string;
}

/**
 * Starts a run at a start event. The run id is created now, even if the event occurred earlier, because lists are
 * sorted by id.
 *
 * The run uses the version whose start event matched, even if a newer version has been deployed since the event.
 *
 * @returns the id of the run
 * @throws {EngineConflict} `message_delivered` if another server has started the run
 */
export async function startRunByEvent(
  queue: Pick<CommandQueue, 'submit' | 'newRunId'>,
  event: StartingEvent,
): Promise<string> {
  const { workflowId, version, elementId, trigger, payload, taints, contributors, context, cause, correlationKey } =
    event;
  const runId = queue.newRunId();
  const startEvent = {
    elementId,
    trigger,
    payload,
    ...(taints === undefined ? {} : { taints }),
    ...(correlationKey === undefined ? {} : { correlationKey }),
  };
  await queue.submit({
    target: { kind: 'new', runId, workflowId, version, onlyNewest: false },
    context,
    action: 'run.start',
    respond: () => ({ runId }),
    cause,
    command: (workflow) => ({
      ...buildStartCommand(workflow, runId, context.actor),
      startEvent,
      ...(contributors === undefined ? {} : { contributors }),
    }),
  });
  return runId;
}

/** Returns a start command without business key and inputs. */
export function buildStartCommand(
  workflow: CompiledVersion | undefined,
  runId: string,
  actor: Actor,
): Extract<Command, { type: 'start' }> {
  if (workflow === undefined) throw new Error('a run cannot start without a workflow');
  return {
    type: 'start',
    actor,
    runId,
    workflowVersion: workflow.version,
    workflowDigest: workflow.digest,
    businessKey: null,
    inputs: {},
  };
}
