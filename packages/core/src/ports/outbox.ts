import type { OutgoingMessage, RecordedActor, SignalSubscriptionRecord } from '@countersign/model';
import type { InboundEventCause } from './inbound-events.js';
import type { AuditEntry } from './records.js';
import type { NextStartTime, StartTimerRecord } from './start-events.js';

/**
 * What runs tell others, and what outsiders tell all of them (a signal): rows that are written with the command that
 * says it, delivered afterwards by any server, and deleted when the effect is durable.
 */
export interface OutboxStore {
  /** Takes messages from outside, with the audit entry of who sent them (for the server's own chain). */
  send(messages: readonly OutgoingRow[], audit: AuditEntry): Promise<void>;
  /**
   * Takes messages that no server is delivering, oldest first (`SKIP LOCKED`). Of each queue only the first one is given
   * out, so that what is told one after the other also arrives so. The lease doubles with each time that a message is
   * given out (32 times as long at most), so that one that kills who delivers it does not do so again and again.
   *
   * @param request `exceptRuns`: ids of runs whose messages are not claimed
   */
  claimOutgoing(request: {
    readonly limit: number;
    readonly leaseMs: number;
    readonly exceptRuns?: readonly string[];
  }): Promise<readonly ClaimedMessage[]>;
  /** Gives a message back that could not be delivered: nobody takes it before the pause (in ms) is over. */
  postponeOutgoing(messageId: string, pauseMs: number): Promise<void>;
  /** Forgets messages whose effect is durable. Those that are gone already are ignored. */
  deleteDelivered(messageIds: readonly string[]): Promise<void>;
  /**
   * Subscriptions that waited when the signal was thrown, in the order in which they began to wait, without those of the
   * run that threw it: it has had it by the command that did. None where the message is gone: someone else has delivered
   * it.
   *
   * @param after the position of the last one that was seen; 0 at first
   */
  findSignalSubscriptions(
    messageId: string,
    signalName: string,
    after: number,
    limit: number,
  ): Promise<readonly WaitingSignalSubscription[]>;
  /**
   * Ids of the people of whom a run and those that it has called, directly or by another one, have yet to tell each other
   * that they had a hand in the data (`ContributorsMessage`).
   */
  contributorsUnderWay(rootRunId: string): Promise<readonly string[]>;
}

/** A message as a command leaves it. */
export interface OutgoingRow {
  readonly message: OutgoingMessage;
  /** Messages of one queue are delivered one after the other. */
  readonly queue: string;
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
}

export interface ClaimedMessage {
  readonly message: OutgoingMessage;
  /** The run that says it; `null`: it comes from outside. */
  readonly runId: string | null;
  /** Who sent it from outside (the actor of its audit entry). */
  readonly actor: RecordedActor | null;
  /** How often it was given out, this time included. */
  readonly attempts: number;
}

export interface WaitingSignalSubscription extends Pick<SignalSubscriptionRecord, 'subscriptionId'> {
  readonly runId: string;
  readonly position: number;
}

/**
 * What a command is the effect of. It is written only while that is still to come, and together with the note that it has
 * come: so it comes once, whoever brings it and however often.
 */
export type CommandCause = MessageCause | StartCause | InboundEventCause;

export interface MessageCause {
  readonly messageId: string;
  /** Whether it is an inbound event that is kept, whose record then tells of the run. */
  readonly ofEvent?: boolean;
  /**
   * Where the message stands. One of the outbox is done with; one of a channel is noted as received by the run's workflow,
   * and the command is written only where the workflow has not had it.
   */
  readonly from: 'outbox' | 'channel';
}

/** What starts a run. */
type StartCause =
  /** A signal of the outbox: it starts one run of the run's workflow. It stays there for the others. */
  | { readonly from: 'signal'; readonly messageId: string }
  /** A start timer, where it still is as it was when it was read; it is set to its next time, or ends. */
  | { readonly from: 'startTimer'; readonly timer: StartTimerRecord; readonly next: NextStartTime | null };
