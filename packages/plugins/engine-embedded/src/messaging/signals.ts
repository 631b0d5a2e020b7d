import type { RequestContext, StoragePort, WaitingSignalSubscription } from '@countersign/core/ports';
import type { Actor, OutgoingMessage } from '@countersign/model';
import type { CommandQueue } from '../command-queue.js';
import { isObsolete } from '../error-classification.js';
import { contributorsTo } from './contributors.js';
import { startByEvent } from './event-runs.js';

type Signal = Extract<OutgoingMessage, { kind: 'signal' }>;

/** Number of subscriptions that are read at a time. */
const PAGE = 100;

/**
 * Delivers a signal to all runs that waited when it was thrown, and starts a run of each workflow with a matching
 * start event. A delivery may be repeated: the command that receives the signal closes the subscription, a later
 * subscription comes after the signal, and the started workflows are recorded. A failure for one run does not keep the
 * signal from others.
 */
export class Signals {
  constructor(
    private readonly storage: Pick<StoragePort, 'findSignalSubscriptions' | 'findStartSubscriptions'>,
    private readonly queue: Pick<CommandQueue, 'submit' | 'newRunId'>,
    /** Called with each run or workflow that refuses the signal permanently. */
    private readonly refused: (
      error: unknown,
      who: { readonly messageId: string; readonly runId?: string; readonly workflowId?: string },
    ) => void,
  ) {}

  /**
   * @param starter initiator of the runs that the signal starts
   * @throws if the signal did not reach a run or workflow that may still receive it
   */
  async deliver(signal: Signal, context: RequestContext, starter: Actor): Promise<void> {
    const failures: unknown[] = [];
    let after = 0;
    for (;;) {
      const page = await this.storage.findSignalSubscriptions(signal.messageId, signal.signalName, after, PAGE);
      failures.push(...(await failuresOf(page.map((waiting) => this.receive(signal, waiting, context)))));
      if (page.length < PAGE) break;
      after = page.at(-1)?.position ?? after;
    }
    const starts = await this.storage.findStartSubscriptions('signal', signal.signalName);
    const started = starts.map(({ workflowId, version, elementId, trigger }) => {
      const { messageId, payload } = signal;
      const event = {
        workflowId,
        version,
        elementId,
        trigger,
        payload,
        ...provenanceOf(signal),
        context: { ...context, actor: starter },
        cause: { messageId, from: 'signal' },
      } as const;
      return this.attempt({ messageId, workflowId }, () => startByEvent(this.queue, event));
    });
    failures.push(...(await failuresOf(started)));
    if (failures.length > 0) throw failures[0];
  }

  private async receive(
    signal: Signal,
    { runId, subscriptionId }: WaitingSignalSubscription,
    context: RequestContext,
  ): Promise<void> {
    await this.attempt({ messageId: signal.messageId, runId }, async () => {
      await this.queue.submit({
        target: { kind: 'run', runId },
        context,
        action: 'signal.receive',
        command: () => ({
          type: 'signal.receive',
          actor: context.actor,
          subscriptionId,
          payload: signal.payload,
          ...provenanceOf(signal, context.actor),
        }),
      });
    });
  }

  private async attempt(who: Parameters<typeof this.refused>[1], act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (!isObsolete(error)) this.refused(error, who);
    }
  }
}

/** Waits for all attempts and returns the errors of those that failed. */
async function failuresOf(attempts: readonly Promise<void>[]): Promise<unknown[]> {
  const results = await Promise.allSettled(attempts);
  return results.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []));
}

/**
 * Returns the provenance of the data of a signal. A signal from the API has no taints, because it is untrusted as a
 * whole, and its sender counts as contributor.
 */
function provenanceOf({ taints, contributors }: Signal, sender?: Actor): Pick<Signal, 'taints' | 'contributors'> {
  return { ...(taints === undefined ? {} : { taints }), ...contributorsTo(contributors, sender) };
}
