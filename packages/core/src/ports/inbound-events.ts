import type { JsonObject, RecordedActor } from '@countersign/model';
import type { MessageChannel, MessageMatch } from './messages.js';
import type { Page, PageRequest } from './records.js';

/**
 * Events that systems outside delivered, each recorded once by the key of its delivery. An event is recorded by the same
 * transaction that resumes (or starts) a run by it: by `RunStore.commit` with an `InboundEventCause`. What no run waits for is
 * recorded by `takeEvent`. So whoever was told that a delivery was accepted finds it recorded, and what it did done.
 */
export interface InboundEventStore {
  /**
   * Looks what becomes of a delivery, in one snapshot. A key that was claimed before counts one repeat more.
   *
   * @param options.mode `record`: where nobody waits, the event is recorded (and kept as a message until `expiresAt`);
   *   `look`: nothing is recorded; `again`: as `look`, for an event that is recorded already
   */
  takeEvent(
    event: InboundEvent,
    options: {
      readonly mode: 'look' | 'record' | 'again';
      /** Ids of workflows that refuse it. */
      readonly refusedBy: readonly string[];
      readonly now: number;
      /** Within this time whoever takes a buffered event looks who waits for it; others do after it, in ms. */
      readonly leaseMs: number;
    },
  ): Promise<EventTaken>;
  /** Counts deliveries that were refused: one record for each kind of refusal and minute, however many there are. */
  recordRefusedEvents(refusals: readonly RefusedEvents[]): Promise<void>;
  /** Newest first, without payloads. */
  listInboundEvents(filter: InboundEventFilter, page: PageRequest): Promise<Page<Omit<InboundEventRecord, 'payload'>>>;
  findInboundEvent(eventId: string): Promise<InboundEventRecord | undefined>;
}

/** A delivery whose sender was verified. */
export interface InboundEvent extends MessageChannel {
  readonly eventId: string;
  /** The way in, for example `event-ingress`. */
  readonly via: string;
  readonly source: string;
  /** The same again, of the same source, is the same delivery. */
  readonly idempotencyKey: string;
  /** SHA-256 (hex) of what the sender signed but for its time: the body as it came, and the id where that is signed, too. */
  readonly bodyDigest: string;
  /** Whether the same digest again is the same delivery, whatever its key. */
  readonly oncePerBody: boolean;
  readonly payload: JsonObject;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  /** Until then it is kept for those who will wait for it; `null`: it is for those who wait already. */
  readonly expiresAt: number | null;
  readonly actor: RecordedActor | null;
  readonly from: string | null;
  readonly traceId: string | null;
}

/**
 * `repeated`: the delivery was recorded before. `recorded`: nobody waits. `matches`: who waits, of each workflow; nothing
 * was written. `claimed`: someone else is recording the same delivery, ask again.
 */
export type EventTaken =
  | {
      readonly kind: 'repeated';
      readonly event: InboundEventRecord;
      /** Whether it is there as a message, which may yet reach others. */
      readonly kept: boolean;
    }
  | { readonly kind: 'recorded' | 'claimed' }
  | { readonly kind: 'matches'; readonly matches: readonly EventMatch[] };

export interface EventMatch extends Pick<MessageMatch, 'workflowId' | 'to'> {
  /** Whether an earlier message is for the same workflow, which is to have that one first. */
  readonly behind: boolean;
}

/** The event that a command brings to a run, and that its commit records. */
export interface InboundEventCause {
  readonly from: 'event';
  readonly event: InboundEvent;
  /** Of an event that is recorded: written only while no run has had it and it is not kept. */
  readonly again: boolean;
  /** Whether the event stays in its channel as a message: it is buffered, or for other workflows too. */
  readonly keep: boolean;
  readonly refusedBy: readonly string[];
  /** As in `takeEvent`. */
  readonly leaseMs: number;
}

/** `matched`: a run was resumed or started. `expired`: it was kept, but nobody came. */
export type InboundEventStatus = 'matched' | 'unmatched' | 'buffered' | 'expired' | 'refused';

export interface InboundEventRecord {
  readonly eventId: string;
  readonly via: string;
  /** `null`: nobody that is known. */
  readonly source: string | null;
  readonly status: InboundEventStatus;
  /** Why it was refused. */
  readonly code: string | null;
  /** These are `null` where it was refused, since nobody knows who says so, or what the sender may not say. */
  readonly idempotencyKey: string | null;
  readonly bodyDigest: string | null;
  readonly correlationKey: string | null;
  readonly payload: JsonObject | null;
  /** `null` too, unless it was refused because of the name. */
  readonly messageName: string | null;
  readonly receivedAt: number;
  readonly expiresAt: number | null;
  readonly resumedRunIds: readonly string[];
  readonly startedRunIds: readonly string[];
  /** How often it was delivered again. */
  readonly repeats: number;
  readonly lastRepeatAt: number | null;
  readonly from: string | null;
  readonly traceId: string | null;
}

export interface InboundEventFilter {
  readonly status?: InboundEventStatus;
  readonly via?: string;
  readonly source?: string;
  readonly messageName?: string;
  /** Only those that were delivered more than once. */
  readonly repeated?: boolean;
}

/** Deliveries that were refused for one reason. */
export interface RefusedEvents {
  readonly eventId: string;
  readonly via: string;
  /** `null`: nobody that is known. What a stranger calls himself is not recorded. */
  readonly source: string | null;
  readonly code: string;
  readonly messageName: string | null;
  /** Of the first one. */
  readonly receivedAt: number;
  readonly from: string | null;
  readonly traceId: string | null;
  readonly count: number;
}
