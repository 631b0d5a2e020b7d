import type { RequestContext, StoragePort, WaitingSignalSubscription } from '@countersign/core/ports';
import type { Actor, OutgoingMessage } from '@countersign/model';
import type { CommandQueue } from '../commands/command-queue.js';
import { isObsolete } from '../commands/error-classification.js';
import { resolveContributors } from './resolve-contributors.js';
import { startRunByEvent } from './start-run-by-event.js';

type Signal = Extract<OutgoingMessage, { kind: 'signal' }>;

/** Number of subscriptions that are read at a time. */
const PAGE_SIZE = 100;

/**
 * Delivers a signal to all runs that waited when it was thrown, and starts a run of each workflow with a matching start
 * event. A delivery can be repeated safely: the command that receives the signal closes the subscription, subscriptions
 * opened after the signal do not match, and the started workflows are recorded. A failure for one run does not keep the
 * signal from others.
 */
export class Signals {
  constructor(
    private readonly storage: Pick<StoragePort, 'findSignalSubscriptions' | 'findStartSubscriptions'>,
    private readonly queue: Pick<CommandQueue, 'submit' | 'newRunId'>,
    /** Called for each run or workflow to which the delivery failed. Throws if the delivery must be retried. */
    private readonly onFailure: (
      error: unknown,
      recipient: { readonly messageId: string; readonly runId?: string; readonly workflowId?: string },
    ) => void,
  ) {}

  /**
   * @param initiator initiator of the runs that the signal starts
   * @throws if the signal did not reach a run or workflow that may still receive it
   */
  async deliver(signal: Signal, context: RequestContext, initiator: Actor): Promise<void> {
    const failures: unknown[] = [];
    let after = 0;
    for (;;) {
      const page = await this.storage.findSignalSubscriptions(signal.messageId, signal.signalName, after, PAGE_SIZE);
      failures.push(
        ...(await collectFailures(page.map((subscription) => this.receive(signal, subscription, context)))),
      );
      if (page.length < PAGE_SIZE) break;
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
        ...pickProvenance(signal),
        context: { ...context, actor: initiator },
        cause: { messageId, from: 'signal' },
      } as const;
      return this.tryDeliver({ messageId, workflowId }, () => startRunByEvent(this.queue, event));
    });
    failures.push(...(await collectFailures(started)));
    if (failures.length > 0) throw failures[0];
  }

  private async receive(
    signal: Signal,
    { runId, subscriptionId }: WaitingSignalSubscription,
    context: RequestContext,
  ): Promise<void> {
    await this.tryDeliver({ messageId: signal.messageId, runId }, async () => {
      await this.queue.submit({
        target: { kind: 'run', runId },
        context,
        action: 'signal.receive',
        command: () => ({
          type: 'signal.receive',
          actor: context.actor,
          subscriptionId,
          payload: signal.payload,
          ...pickProvenance(signal, context.actor),
        }),
      });
    });
  }

  private async tryDeliver(
    recipient: Parameters<typeof this.onFailure>[1],
    deliver: () => Promise<unknown>,
  ): Promise<void> {
    try {
      await deliver();
    } catch (error) {
      if (!isObsolete(error)) this.onFailure(error, recipient);
    }
  }
}

/** Waits for all attempts and returns the errors of those that failed. */
async function collectFailures(attempts: readonly Promise<void>[]): Promise<unknown[]> {
  const results = await Promise.allSettled(attempts);
  return results.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []));
}

/**
 * Returns the provenance of the data of a signal. A signal from the API has no taints, because it is untrusted as a
 * whole, and its sender counts as a contributor.
 */
function pickProvenance({ taints, contributors }: Signal, sender?: Actor): Pick<Signal, 'taints' | 'contributors'> {
  return { ...(taints === undefined ? {} : { taints }), ...resolveContributors(contributors, sender) };
}
