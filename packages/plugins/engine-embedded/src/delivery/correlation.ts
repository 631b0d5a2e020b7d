import { derivedId } from '@countersign/core/engine';
import { CountersignError, type Actor, type CorrelateMessageRequest, type Delivery, type StoragePort } from '@countersign/core/plugin';
import type { CommandQueue } from '../command-queue.js';
import { isGone } from '../tolerance.js';
import { startByEvent } from './event-runs.js';

/** A message on its way to those who wait for it. */
export interface MessageInHand extends Omit<CorrelateMessageRequest, 'messageId'> {
  /** The runs that it starts get their ids from it. */
  readonly messageId: string;
  /** Who is answerable for the runs that it starts. */
  readonly starter: Actor;
  /** Whether it stands in the outbox, which then keeps which workflows have had it. */
  readonly stored: boolean;
  /** Workflows that have had it before. */
  readonly served: readonly string[];
  /** What to do where a run refuses it for good. */
  refused(error: unknown, runId: string): void;
}

/**
 * Brings a message to at most one run of each workflow (as Zeebe does): the one that has waited longest, else a new one
 * where the workflow has a start event for it.
 */
export class Correlation {
  constructor(
    private readonly storage: Pick<StoragePort, 'findSubscriptions' | 'findStartSubscriptions'>,
    private readonly queue: Pick<CommandQueue, 'submit'>,
  ) {}

  async deliver(message: MessageInHand): Promise<{ runIds: string[]; startedRunIds: string[] }> {
    const served = new Set(message.served);
    const runIds = await this.resume(message, served);
    return { runIds, startedRunIds: await this.start(message, served) };
  }

  private async resume(message: MessageInHand, served: Set<string>): Promise<string[]> {
    const waiting = await this.storage.findSubscriptions(message.messageName, message.correlationKey);
    const runIds: string[] = [];
    for (const { workflowId, subscriptionId, runId } of waiting) {
      if (served.has(workflowId)) continue;
      const effect = await this.attempt(message, runId, () => this.correlate(message, runId, subscriptionId));
      if (effect !== 'none') served.add(workflowId);
      if (effect === 'mine') runIds.push(runId);
    }
    return runIds;
  }

  private async start(message: MessageInHand, served: ReadonlySet<string>): Promise<string[]> {
    const { messageId, messageName, payload } = message;
    const context = { ...message.context, actor: message.starter };
    const startedRunIds: string[] = [];
    for (const { workflowId, version, elementId, trigger } of await this.storage.findStartSubscriptions('message', messageName)) {
      if (served.has(workflowId)) continue;
      const runId = derivedId(messageId, workflowId);
      const event = { runId, workflowId, version, elementId, trigger, payload, context, delivery: deliveryOf(message) };
      if ((await this.attempt(message, runId, () => startByEvent(this.queue, event))) === 'mine') startedRunIds.push(runId);
    }
    return startedRunIds;
  }

  private async correlate(message: MessageInHand, runId: string, subscriptionId: string): Promise<void> {
    const { context, payload } = message;
    await this.queue.submit({
      target: { kind: 'run', runId },
      context,
      action: 'message.correlate',
      delivery: deliveryOf(message),
      command: () => ({ type: 'message.correlate', actor: context.actor, subscriptionId, payload }),
    });
  }

  /** A waiter that went away meanwhile is no error: the next one is tried. */
  private async attempt(message: MessageInHand, runId: string, act: () => Promise<void>): Promise<'mine' | 'another' | 'none'> {
    try {
      await act();
      return 'mine';
    } catch (error) {
      if (error instanceof CountersignError && error.code === 'message_delivered') return 'another';
      if (!isGone(error)) message.refused(error, runId);
      return 'none';
    }
  }
}

function deliveryOf({ stored, messageId }: MessageInHand): Delivery | null {
  return stored ? { messageId, final: false } : null;
}
