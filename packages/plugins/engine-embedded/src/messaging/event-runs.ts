import type { JsonObject } from '@countersign/core/plugin';
import type { CommandCause, RequestContext, StartSubscriptionRecord } from '@countersign/core/ports';
import type { Actor, Command, Taints } from '@countersign/model';
import type { CommandQueue } from '../command-queue.js';
import type { CompiledVersion } from '../workflow-cache.js';

/** The event that starts a run. */
export interface StartingEvent extends Pick<
  StartSubscriptionRecord,
  'workflowId' | 'version' | 'elementId' | 'trigger'
> {
  readonly payload: JsonObject;
  /** Of what another run threw; absent: from outside. */
  readonly taints?: Taints;
  /** Ids of the people behind the payload, besides whoever is answerable for the run. */
  readonly contributors?: readonly string[];
  readonly context: RequestContext;
  /** That it has happened, so that it starts one run, however often it is told. */
  readonly cause: CommandCause;
  /** Of the message, where it has one. */
  readonly correlationKey?: string;
}

/**
 * Starts a run by its start event. Its id is made now, however late that is: lists are in the order of the ids.
 *
 * It starts on the version whose event was found. Where another has become the newest meanwhile, the event came first.
 *
 * @returns the id of the run
 * @throws `message_delivered` where someone else has started it
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

/** A start of a run of which nothing more is known. */
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
