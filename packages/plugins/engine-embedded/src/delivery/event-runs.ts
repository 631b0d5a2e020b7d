import type { Command } from '@countersign/core/engine';
import type { Actor, Delivery, JsonObject, RequestContext, StartSubscriptionRecord } from '@countersign/core/plugin';
import type { CommandQueue } from '../command-queue.js';
import type { CompiledVersion } from '../workflow-cache.js';

/** The event that starts a run. */
export interface StartingEvent extends Pick<StartSubscriptionRecord, 'workflowId' | 'version' | 'elementId' | 'trigger'> {
  /** Derived from what happened, so that the same does not start a second one. */
  readonly runId: string;
  readonly payload: JsonObject;
  readonly context: RequestContext;
  readonly delivery?: Delivery | null;
  /** Of the message, where it has one. */
  readonly correlationKey?: string;
}

/**
 * Starts a run by its start event, unless it was started before.
 *
 * It starts on the version whose event was found. Where another has become the newest meanwhile, the event came first.
 *
 * @returns whether this is what started it
 */
export async function startByEvent(queue: Pick<CommandQueue, 'submit'>, event: StartingEvent): Promise<boolean> {
  const { runId, workflowId, version, elementId, trigger, payload, context, delivery = null, correlationKey } = event;
  const startEvent = { elementId, trigger, payload, ...(correlationKey === undefined ? {} : { correlationKey }) };
  const { replayed } = await queue.submit({
    target: { kind: 'new', runId, workflowId, version, onlyNewest: false, derived: true },
    context,
    action: 'run.start',
    delivery,
    command: (workflow) => ({ ...startCommand(workflow, runId, context.actor), startEvent }),
  });
  return !replayed;
}

/** A start of a run of which nothing more is known. */
export function startCommand(workflow: CompiledVersion | undefined, runId: string, actor: Actor): Extract<Command, { type: 'start' }> {
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
