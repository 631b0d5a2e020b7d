import type { JsonObject, RecordedActor } from '@countersign/model';

/**
 * Stores messages until runs receive them. All messages with the same name and correlation key form a channel. A
 * message is a row during its lifetime, and at least until it has been checked once; the row records which workflows
 * have received it.
 *
 * Publishing a message, opening a subscription and releasing a start key mark the channel as changed, under a lock and
 * in the same transaction. Therefore, some server checks each possible match, even if another server dies or is
 * delayed.
 */
export interface MessageStore {
  /**
   * Stores a message, unless a live message has the same id. The caller should check the channel immediately; other
   * servers do after `leaseMs`.
   */
  publishMessage(message: MessageToPublish, leaseMs: number): Promise<'published' | 'duplicate' | 'gone'>;
  /** Returns the current matches in a channel; `undefined` if it has no message. */
  matchMessages(channel: MessageChannel, now: number): Promise<ChannelMatches | undefined>;
  /**
   * Records that a channel has no matches. Has no effect on changes since `seenMatches`.
   *
   * @returns whether the channel must be checked again, because a start key has become free
   */
  markChannelIdle(channel: MessageChannel, seenMatches: Omit<ChannelMatches, 'matches'>): Promise<boolean>;
  /** Records that a workflow refuses a message permanently, so that it is not offered to that workflow again. */
  refuseMessage(messageId: string, workflowId: string): Promise<void>;
  /**
   * Returns the runs that have received a message; `undefined` if the message was deleted.
   *
   * @param options.forget whether to delete the message if it has expired
   */
  findMessageReceipt(
    messageId: string,
    now: number,
    options: { readonly forget: boolean },
  ): Promise<MessageReceipt | undefined>;
  /** Claims channels that must be checked (`SKIP LOCKED`), for the length of a lease. */
  claimChannels(request: { readonly limit: number; readonly leaseMs: number }): Promise<readonly MessageChannel[]>;
  /**
   * Deletes expired messages that were checked, except those that were published within `leaseMs`, whose publisher
   * still reads the receipt.
   *
   * @returns the number of deleted messages
   */
  expireMessages(now: number, leaseMs: number, limit: number): Promise<number>;
  /** Counts the messages that wait for a subscription. */
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
  /** When it expires. Equal to `publishedAt` if it reaches existing subscriptions only. */
  readonly expiresAt: number;
  readonly origin: MessageOrigin;
  /** Whether the message comes from the outbox and is removed there; if it is no longer there, the result is `gone`. */
  readonly fromOutbox: boolean;
}

export interface MessageOrigin {
  /** The throwing run, or `null`. */
  readonly runId: string | null;
  /** The external sender, or `null`. */
  readonly actor: RecordedActor | null;
  /** Address or part of the system, for the audit trail. */
  readonly from: string | null;
  readonly traceId: string | null;
  /** Ids of the contributors to the payload, if a run throws the message. */
  readonly contributors?: readonly string[];
  /** Whether it is an inbound event with the same id. */
  readonly ofEvent?: boolean;
}

export interface ChannelMatches {
  /** Differs after each change of the channel. */
  readonly changes: string;
  /** Position of the last message of the channel. */
  readonly lastPosition: string;
  /** The first matching message per workflow. */
  readonly matches: readonly MessageMatch[];
  /**
   * Ids of workflows that cannot be started by a message yet, because a run that an earlier message with this key
   * started is still active.
   */
  readonly blockedWorkflowIds: readonly string[];
}

export interface MessageMatch {
  readonly messageId: string;
  /** Position of this publication among all messages. */
  readonly position: string;
  readonly payload: JsonObject;
  readonly origin: MessageOrigin;
  readonly workflowId: string;
  /** The run that has waited longest; if none waits, the start event. */
  readonly to:
    | { readonly kind: 'run'; readonly runId: string; readonly subscriptionId: string }
    | { readonly kind: 'start'; readonly version: number; readonly elementId: string; readonly trigger: number };
}

export interface MessageReceipt {
  readonly runIds: readonly string[];
  readonly startedRunIds: readonly string[];
  /** Whether the message is buffered for other workflows. */
  readonly buffered: boolean;
}
