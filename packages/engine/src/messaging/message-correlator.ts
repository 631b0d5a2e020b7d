import type { ClockPort, LoggerPort } from '@countersign/core/plugin';
import type { MessageChannel, MessageMatch, RequestContext, StoragePort } from '@countersign/core/ports';
import { SYSTEM_ACTOR } from '@countersign/model';
import type { CommandQueue } from '../commands/command-queue.js';
import { isObsolete, isPermanentRefusal } from '../commands/error-classification.js';
import type { Initiators } from './initiators.js';
import { resolveContributors } from './resolve-contributors.js';
import { startRunByEvent } from './start-run-by-event.js';

/**
 * Maximum number of consecutive passes without progress, because of concurrent changes, before the correlation of a
 * channel is postponed.
 */
const MAX_FRUITLESS_PASSES = 20;

/** Called when a workflow permanently refuses a message. */
export type RefusalListener = (error: unknown, match: MessageMatch) => void;

interface Attempt {
  readonly promise: Promise<void>;
  /**
   * Next attempt, shared by all callers that arrive during this one, because this one may have read the channel before
   * their messages were stored.
   */
  next?: Promise<void>;
}

/**
 * Correlates messages with subscriptions: each message with at most one run per workflow, in the order of publication
 * (as Zeebe does).
 *
 * Safe to call at any time, even concurrently on several servers. A command that receives a message is written only if
 * its workflow has not received it, its subscription is open and its start key is free; a caller that is too late
 * retries.
 */
export class MessageCorrelator {
  private readonly attempts = new Map<string, Attempt>();

  constructor(
    private readonly storage: Pick<StoragePort, 'matchMessages' | 'markChannelIdle' | 'refuseMessage'>,
    private readonly queue: Pick<CommandQueue, 'submit' | 'newRunId'>,
    private readonly initiators: Pick<Initiators, 'findInitiator'>,
    private readonly clock: ClockPort,
    private readonly log: LoggerPort,
    private readonly onRefused: RefusalListener,
  ) {}

  /**
   * Correlates until no message of the channel has a matching subscription.
   *
   * @throws if the storage fails; a server then correlates the channel later
   */
  correlate(channel: MessageChannel): Promise<void> {
    const id = JSON.stringify([channel.messageName, channel.correlationKey]);
    const current = this.attempts.get(id);
    if (current === undefined) return this.startDraining(id, channel);
    current.next ??= current.promise.catch(() => undefined).then(() => this.startDraining(id, channel));
    return current.next;
  }

  /** Resolves when no attempt is in progress. */
  async waitUntilIdle(): Promise<void> {
    while (this.attempts.size > 0) await Promise.allSettled([...this.attempts.values()].map(({ promise }) => promise));
  }

  private startDraining(id: string, channel: MessageChannel): Promise<void> {
    const promise = this.drain(channel);
    const attempt: Attempt = { promise };
    this.attempts.set(id, attempt);
    const onEnded = (): void => {
      if (attempt.next === undefined) this.attempts.delete(id);
    };
    promise.then(onEnded, onEnded);
    return promise;
  }

  private async drain(channel: MessageChannel): Promise<void> {
    for (let fruitlessPasses = 0; fruitlessPasses < MAX_FRUITLESS_PASSES;) {
      const matchResult = await this.storage.matchMessages(channel, this.clock.now());
      if (matchResult === undefined) return;
      // If the channel is not idle, a start key that blocked a message is now free.
      if (matchResult.matches.length === 0 && !(await this.storage.markChannelIdle(channel, matchResult))) return;
      const results = await Promise.allSettled(matchResult.matches.map((match) => this.deliver(channel, match)));
      const failed = results.find((result) => result.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      fruitlessPasses = results.some((result) => result.status === 'fulfilled' && result.value)
        ? 0
        : fruitlessPasses + 1;
    }
    this.log.warn(
      { messageName: channel.messageName },
      'message correlation postponed because the subscriptions keep changing; will retry',
    );
  }

  /** @returns whether the attempt changed anything */
  private async deliver(channel: MessageChannel, match: MessageMatch): Promise<boolean> {
    try {
      await this.attempt(channel, match);
      return true;
    } catch (error) {
      // The subscription is gone, or another server has delivered the message.
      if (isObsolete(error)) return false;
      if (!isPermanentRefusal(error)) throw error;
      await this.storage.refuseMessage(match.messageId, match.workflowId);
      this.onRefused(error, match);
      return true;
    }
  }

  private async attempt({ correlationKey }: MessageChannel, match: MessageMatch): Promise<void> {
    const { messageId, payload, origin, workflowId, to } = match;
    const context: RequestContext = { actor: origin.actor ?? SYSTEM_ACTOR, from: origin.from, traceId: origin.traceId };
    const contributors = resolveContributors(origin.contributors, origin.ofEvent === true ? undefined : origin.actor);
    const cause = { messageId, from: 'channel', ofEvent: origin.ofEvent === true } as const;
    if (to.kind === 'start') {
      const startContext = { ...context, actor: await this.initiators.findInitiator(origin) };
      await startRunByEvent(this.queue, {
        ...to,
        workflowId,
        payload,
        ...contributors,
        context: startContext,
        cause,
        ...(correlationKey === '' ? {} : { correlationKey }),
      });
      return;
    }
    const { runId, subscriptionId } = to;
    await this.queue.submit({
      target: { kind: 'run', runId },
      context,
      action: 'message.correlate',
      cause,
      command: () => ({ type: 'message.correlate', actor: context.actor, subscriptionId, payload, ...contributors }),
    });
  }
}
