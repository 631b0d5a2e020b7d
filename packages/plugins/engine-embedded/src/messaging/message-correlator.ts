import type { ClockPort, LoggerPort } from '@countersign/core/plugin';
import type { MessageChannel, MessageMatch, RequestContext, StoragePort } from '@countersign/core/ports';
import { SYSTEM_ACTOR } from '@countersign/model';
import type { CommandQueue } from '../command-queue.js';
import { isObsolete, isPermanentRefusal } from '../error-classification.js';
import type { Initiators } from './initiators.js';
import { contributorsTo } from './contributors.js';
import { startByEvent } from './event-runs.js';

/** Rounds in a row in which others were faster, after which a channel is left to them for a while. */
const MAX_FRUITLESS = 20;

/** Told that a workflow refused a message for good. */
export type Refused = (error: unknown, match: MessageMatch) => void;

interface Attempt {
  readonly running: Promise<void>;
  /** Shared by all callers that come while one is under way, as that one may have read before their message was there. */
  next?: Promise<void>;
}

/**
 * Correlates messages with subscriptions: each message with at most one run of each workflow, in the order in which they
 * were published (as Zeebe does).
 *
 * Safe to call at any time, also on several servers at once. A command that receives a message is written only where its
 * workflow has not received it, its subscription is open and its start key is free; a caller that comes too late retries.
 */
export class MessageCorrelator {
  private readonly attempts = new Map<string, Attempt>();

  constructor(
    private readonly storage: Pick<StoragePort, 'matchMessages' | 'markChannelIdle' | 'refuseMessage'>,
    private readonly queue: Pick<CommandQueue, 'submit' | 'newRunId'>,
    private readonly initiators: Pick<Initiators, 'forMessage'>,
    private readonly clock: ClockPort,
    private readonly log: LoggerPort,
    private readonly refused: Refused,
  ) {}

  /** Correlates until no message of the channel has a subscription left. @throws where the storage fails; a server then looks at the channel again. */
  correlate(channel: MessageChannel): Promise<void> {
    const id = JSON.stringify([channel.messageName, channel.correlationKey]);
    const current = this.attempts.get(id);
    if (current === undefined) return this.begin(id, channel);
    current.next ??= current.running.catch(() => undefined).then(() => this.begin(id, channel));
    return current.next;
  }

  /** Waits for the attempts under way. */
  async idle(): Promise<void> {
    while (this.attempts.size > 0) await Promise.allSettled([...this.attempts.values()].map(({ running }) => running));
  }

  private begin(id: string, channel: MessageChannel): Promise<void> {
    const running = this.drain(channel);
    const attempt: Attempt = { running };
    this.attempts.set(id, attempt);
    const ended = (): void => {
      if (attempt.next === undefined) this.attempts.delete(id);
    };
    running.then(ended, ended);
    return running;
  }

  private async drain(channel: MessageChannel): Promise<void> {
    for (let fruitless = 0; fruitless < MAX_FRUITLESS;) {
      const seen = await this.storage.matchMessages(channel, this.clock.now());
      if (seen === undefined) return;
      // Where it is not settled, a start key that held a message back is free by now.
      if (seen.matches.length === 0 && !(await this.storage.markChannelIdle(channel, seen))) return;
      const results = await Promise.allSettled(seen.matches.map((match) => this.deliver(channel, match)));
      const failed = results.find((result) => result.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      fruitless = results.some((result) => result.status === 'fulfilled' && result.value) ? 0 : fruitless + 1;
    }
    this.log.warn(
      { messageName: channel.messageName },
      'messages could not be delivered, because others keep changing what waits for them; it will be tried again',
    );
  }

  /** @returns whether something came of it */
  private async deliver(channel: MessageChannel, match: MessageMatch): Promise<boolean> {
    try {
      await this.attempt(channel, match);
      return true;
    } catch (error) {
      // Who waited waits no more, or has it from someone else.
      if (isObsolete(error)) return false;
      if (!isPermanentRefusal(error)) throw error;
      await this.storage.refuseMessage(match.messageId, match.workflowId);
      this.refused(error, match);
      return true;
    }
  }

  private async attempt({ correlationKey }: MessageChannel, match: MessageMatch): Promise<void> {
    const { messageId, payload, origin, workflowId, to } = match;
    const context: RequestContext = { actor: origin.actor ?? SYSTEM_ACTOR, from: origin.from, traceId: origin.traceId };
    const contributors = contributorsTo(origin.contributors, origin.ofEvent === true ? undefined : origin.actor);
    const cause = { messageId, from: 'channel', ofEvent: origin.ofEvent === true } as const;
    if (to.kind === 'start') {
      const starter = { ...context, actor: await this.initiators.forMessage(origin) };
      await startByEvent(this.queue, {
        ...to,
        workflowId,
        payload,
        ...contributors,
        context: starter,
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
