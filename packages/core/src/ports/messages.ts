import type { JsonObject, RecordedActor } from '@countersign/model';

/**
 * Messages on their way to runs. All of one name and correlation key form a channel. A message is a row for as long as it
 * lives, and at least until it has been looked at once; its row says which workflows have had it.
 *
 * Whoever publishes a message, opens a subscription or frees a start key says so at the channel, under a lock, and in the
 * transaction that does it. So whatever may fit together is looked at by somebody, whoever dies or is late.
 */
export interface MessageStore {
  /**
   * Stores a message. One whose id belongs to a message that lives is not stored again. The caller is expected to look at
   * the channel at once; others do after `leaseMs`.
   */
  publishMessage(message: MessageToPublish, leaseMs: number): Promise<'published' | 'duplicate' | 'gone'>;
  /** What fits together in a channel now; `undefined` where it has no message. */
  matchMessages(channel: MessageChannel, now: number): Promise<ChannelMatches | undefined>;
  /**
   * Notes that nothing in the channel fits together. Without effect on what was said at the channel since `seen`.
   *
   * @returns whether it has to be looked at again because a start key that was taken is free by now
   */
  markChannelIdle(channel: MessageChannel, seen: Omit<ChannelMatches, 'matches'>): Promise<boolean>;
  /** Notes that a workflow refused a message for good, so that it is not offered to it again. */
  refuseMessage(messageId: string, workflowId: string): Promise<void>;
  /**
   * Who has had a message. `undefined`: it is forgotten.
   *
   * @param options.forget whether to forget it if its time is over
   */
  messageReceipt(
    messageId: string,
    now: number,
    options: { readonly forget: boolean },
  ): Promise<MessageReceipt | undefined>;
  /** Takes channels that somebody has to look at (`SKIP LOCKED`), for as long as a lease. */
  claimChannels(request: { readonly limit: number; readonly leaseMs: number }): Promise<readonly MessageChannel[]>;
  /**
   * Forgets messages whose time is over and that were looked at, unless they were published within `leaseMs`: whoever
   * publishes one asks for its receipt.
   *
   * @returns how many
   */
  expireMessages(now: number, leaseMs: number, limit: number): Promise<number>;
  /** How many messages wait for somebody who waits for them. */
  countBufferedMessages(now: number): Promise<number>;
}

export interface MessageChannel {
  readonly messageName: string;
  readonly correlationKey: string;
}

export interface MessageToPublish extends MessageChannel {
  readonly messageId: string;
  readonly payload: JsonObject;
  /** Milliseconds since the epoch. */
  readonly publishedAt: number;
  /** From then on it is for nobody any more. At the same time as `publishedAt`: it is for those who wait already. */
  readonly expiresAt: number;
  readonly origin: MessageOrigin;
  /** It comes out of the outbox, and is taken out of there; where it is there no more, it is `gone`. */
  readonly fromOutbox: boolean;
}

export interface MessageOrigin {
  /** The run that throws it, or `null`. */
  readonly runId: string | null;
  /** Who sent it from outside, or `null`. */
  readonly actor: RecordedActor | null;
  /** Address or part of the system, for the audit trail. */
  readonly from: string | null;
  readonly traceId: string | null;
  /** Ids of the people behind what a run throws. */
  readonly contributors?: readonly string[];
  /** Whether it is an inbound event with the same id. */
  readonly ofEvent?: boolean;
}

export interface ChannelMatches {
  /** Changes with whatever is said at the channel. */
  readonly changes: string;
  /** Position of the last message of the channel. */
  readonly last: string;
  /** Of each workflow that a message is for: the first such message. */
  readonly matches: readonly MessageMatch[];
  /** Ids of workflows that a message would start, if it were not for the run that the last one with this key started. */
  readonly held: readonly string[];
}

export interface MessageMatch {
  readonly messageId: string;
  /** Of this publication of the message among all. */
  readonly position: string;
  readonly payload: JsonObject;
  readonly origin: MessageOrigin;
  readonly workflowId: string;
  /** The run that has waited longest, or the start event where none waits. */
  readonly to:
    | { readonly kind: 'run'; readonly runId: string; readonly subscriptionId: string }
    | { readonly kind: 'start'; readonly version: number; readonly elementId: string; readonly trigger: number };
}

export interface MessageReceipt {
  readonly runIds: readonly string[];
  readonly startedRunIds: readonly string[];
  /** Whether it may yet reach others. */
  readonly buffered: boolean;
}
