import type { OutgoingMessage, RecordedActor, SignalSubscriptionRecord } from '@countersign/model';
import type { InboundEventCause } from './inbound-events.js';
import type { AuditEntry } from './records.js';
import type { NextStartTime, StartTimerRecord } from './start-events.js';

/**
 * The outbox of messages between runs, and of signals from outside. A command writes its messages in its own
 * transaction. Any server delivers them afterwards, and deletes them once their effect is durable.
 */
export interface OutboxStore {
  /** Stores messages from outside, with an audit entry about the sender (in the audit chain of the server). */
  send(messages: readonly OutgoingRow[], audit: AuditEntry): Promise<void>;
  /**
   * Claims messages that no server is delivering, oldest first (`SKIP LOCKED`), and only the first one of each queue,
   * so that the messages of a queue arrive in order. The lease doubles with each claim of a message, up to 32 times its
   * length, so that a message that kills its server is not claimed again and again.
   *
   * @param request `excludedRunIds`: ids of runs whose messages are not claimed
   */
  claimOutgoing(request: {
    readonly limit: number;
    readonly leaseMs: number;
    readonly excludedRunIds?: readonly string[];
  }): Promise<readonly ClaimedMessage[]>;
  /** Releases an undelivered message. No server claims it before the pause (in ms) is over. */
  postponeOutgoing(messageId: string, pauseMs: number): Promise<void>;
  /** Deletes messages whose effect is durable; ignores messages that no longer exist. */
  deleteDelivered(messageIds: readonly string[]): Promise<void>;
  /**
   * Returns the subscriptions that existed when the signal was thrown, in the order in which they were opened. The
   * result excludes those of the throwing run, which received the signal in the throwing command. Returns none if
   * another server has delivered the message.
   *
   * @param after the position of the last subscription that was read; 0 at first
   */
  findSignalSubscriptions(
    messageId: string,
    signalName: string,
    after: number,
    limit: number,
  ): Promise<readonly WaitingSignalSubscription[]>;
  /**
   * Returns the ids of contributors to the data of a root run and its child runs, as far as messages between these runs
   * that are not yet delivered contain them (`ContributorsMessage`).
   */
  findPendingContributors(rootRunId: string): Promise<readonly string[]>;
}

/** A message that a command sends. */
export interface OutgoingRow {
  readonly message: OutgoingMessage;
  /** Messages of the same queue are delivered in order. */
  readonly queue: string;
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
}

export interface ClaimedMessage {
  readonly message: OutgoingMessage;
  /** The sending run; `null` if it comes from outside. */
  readonly runId: string | null;
  /** The external sender (the actor of its audit entry); `null` if a run sent it. */
  readonly actor: RecordedActor | null;
  /** Number of claims, including this one. */
  readonly attempts: number;
}

export interface WaitingSignalSubscription extends Pick<SignalSubscriptionRecord, 'subscriptionId'> {
  readonly runId: string;
  readonly position: number;
}

/**
 * The message, inbound event or start timer that a command consumes. The command is committed only if its cause is not
 * consumed yet, and the same commit records that it is. Therefore, the effect happens exactly once, however often
 * servers deliver the cause.
 */
export type CommandCause = MessageCause | StartCause | InboundEventCause;

export interface MessageCause {
  readonly messageId: string;
  /** Whether the message is a buffered inbound event, whose record then names the run. */
  readonly ofEvent?: boolean;
  /**
   * Where the message is stored. A message of the outbox is consumed as a whole. A message of a channel is recorded as
   * received by the workflow of the run, and the command is written only if the workflow has not received it yet.
   */
  readonly from: 'outbox' | 'channel';
}

/** The cause of a new run. */
type StartCause =
  /** A signal in the outbox. It starts one run of this workflow, and stays there for other workflows. */
  | { readonly from: 'signal'; readonly messageId: string }
  /** A start timer that has not changed since it was read. The commit sets its next time, or ends it. */
  | { readonly from: 'startTimer'; readonly timer: StartTimerRecord; readonly next: NextStartTime | null };
