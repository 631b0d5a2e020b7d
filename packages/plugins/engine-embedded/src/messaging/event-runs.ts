import type { JsonObject } from '@countersign/core/plugin';
import type { CommandCause, RequestContext, StartSubscriptionRecord } from '@countersign/core/ports';
import type { Actor, Command, Taints } from '@countersign/model';
import type { CommandQueue } from '../command-queue.js';
import type { CompiledVersion } from '../workflow-cache.js';

/** Event that starts a run. */
export interface StartingEvent extends Pick<
  StartSubscriptionRecord,
  'workflowId' | 'version' | 'elementId' | 'trigger'
> {
  readonly payload: JsonObject;
  /** Taints of data that another run sent; absent for data from outside. */
  readonly taints?: Taints;
  /** Ids of the people behind the payload, in addition to the initiator of the run. */
  readonly contributors?: readonly string[];
  readonly context: RequestContext;
  /** Event that the start consumes, so that it starts one run even if it is delivered repeatedly. */
  readonly cause: CommandCause;
  /** Correlation key of the message, if it has one. */
  readonly correlationKey?: string;
}

/**
 * Starts a run by its start event. The run id is created now, even if the event is late, because lists are sorted by
 * id.
 *
 * The run uses the version whose start event matched. If another version was deployed since, the event came first.
 *
 * @returns the id of the run
 * @throws `message_delivered` if another server has started the run
 */
export async function startByEvent(
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
      ...startCommand(workflow, runId, context.actor),
      startEvent,
      ...(contributors === undefined ? {} : { contributors }),
    }),
  });
  return runId;
}

/** Returns a start command without business key and inputs. */
export function startCommand(
  workflow: CompiledVersion | undefined,
  runId: string,
  actor: Actor,
): Extract<Command, { type: 'start' }> {
  if (workflow === undefined) throw new Error('a run starts on a workflow');
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
