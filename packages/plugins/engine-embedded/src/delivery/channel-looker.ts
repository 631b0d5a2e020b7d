import { SYSTEM_ACTOR } from '@countersign/core/engine';
import type {
  ClockPort,
  LoggerPort,
  MessageChannel,
  MessageMatch,
  RequestContext,
  StoragePort,
} from '@countersign/core/plugin';
import type { CommandQueue } from '../command-queue.js';
import { isGone, isRefused } from '../tolerance.js';
import type { Answerable } from './answerable.js';
import { startByEvent } from './event-runs.js';

/** Rounds in a row in which others were faster, after which a channel is left to them for a while. */
const MOST_FRUITLESS = 20;

/** Told that a workflow refused a message for good. */
export type Refused = (error: unknown, match: MessageMatch) => void;

interface Look {
  readonly running: Promise<void>;
  /** The look that all share who ask while one is under way: what they tell of may have come too late for that one. */
  next?: Promise<void>;
}

/**
 * Brings messages and those who wait for them together: each message to at most one run of each workflow, in the order in
 * which they were published.
 *
 * Anybody may look at any time, also several servers at once. A command that receives a message is written only where its
 * workflow has not had it, its subscription is open and its start key is free; whoever was too late looks again.
 */
export class ChannelLooker {
  private readonly looks = new Map<string, Look>();

  constructor(
    private readonly storage: Pick<StoragePort, 'matchMessages' | 'settleChannel' | 'refuseMessage'>,
    private readonly queue: Pick<CommandQueue, 'submit' | 'newRunId'>,
    private readonly answerable: Pick<Answerable, 'forMessage'>,
    private readonly clock: ClockPort,
    private readonly log: LoggerPort,
    private readonly refused: Refused,
  ) {}

  /** Looks until nothing fits together. @throws where the storage fails; the channel is then looked at again by somebody. */
  look(channel: MessageChannel): Promise<void> {
    const id = JSON.stringify([channel.messageName, channel.correlationKey]);
    const current = this.looks.get(id);
    if (current === undefined) return this.begin(id, channel);
    current.next ??= current.running.catch(() => undefined).then(() => this.begin(id, channel));
    return current.next;
  }

  /** Waits for the looks under way. */
  async idle(): Promise<void> {
    while (this.looks.size > 0) await Promise.allSettled([...this.looks.values()].map(({ running }) => running));
  }

  private begin(id: string, channel: MessageChannel): Promise<void> {
    const running = this.drain(channel);
    const look: Look = { running };
    this.looks.set(id, look);
    const ended = (): void => {
      if (look.next === undefined) this.looks.delete(id);
    };
    running.then(ended, ended);
    return running;
  }

  private async drain(channel: MessageChannel): Promise<void> {
    for (let fruitless = 0; fruitless < MOST_FRUITLESS;) {
      const seen = await this.storage.matchMessages(channel, this.clock.now());
      if (seen === undefined) return;
      // Where it is not settled, a start key that held a message back is free by now.
      if (seen.matches.length === 0 && !(await this.storage.settleChannel(channel, seen))) return;
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
      // Who waited waits no more, or has it from somebody else.
      if (isGone(error)) return false;
      if (!isRefused(error)) throw error;
      await this.storage.refuseMessage(match.messageId, match.workflowId);
      this.refused(error, match);
      return true;
    }
  }

  private async attempt({ correlationKey }: MessageChannel, match: MessageMatch): Promise<void> {
    const { messageId, payload, origin, workflowId, to } = match;
    const context: RequestContext = { actor: origin.actor ?? SYSTEM_ACTOR, from: origin.from, traceId: origin.traceId };
    const delivery = { messageId, from: 'channel', ofEvent: origin.ofEvent === true } as const;
    if (to.kind === 'start') {
      const starter = { ...context, actor: await this.answerable.forMessage(origin) };
      await startByEvent(this.queue, {
        ...to,
        workflowId,
        payload,
        context: starter,
        delivery,
        ...(correlationKey === '' ? {} : { correlationKey }),
      });
      return;
    }
    const { runId, subscriptionId } = to;
    await this.queue.submit({
      target: { kind: 'run', runId },
      context,
      action: 'message.correlate',
      delivery,
      command: () => ({ type: 'message.correlate', actor: context.actor, subscriptionId, payload }),
    });
  }
}
