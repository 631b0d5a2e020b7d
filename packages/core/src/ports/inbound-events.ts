import type { JsonObject, RecordedActor } from '@countersign/model';
import type { MessageChannel, MessageMatch } from './messages.js';
import type { Page, PageRequest } from './records.js';

/**
 * Stores the events that external systems deliver, each once per idempotency key. If an event resumes or starts a run,
 * the same transaction records it: `RunStore.commit` with an `InboundEventCause`. If no run waits for it,
 * `recordInboundEvent` records it. Therefore, when a sender receives the response that a delivery was accepted, the
 * event and its effect are stored.
 */
export interface InboundEventStore {
  /**
   * Finds the runs that wait for an event, in one snapshot. A delivery with a known idempotency key counts as a repeat.
   *
   * @param options.mode `record`: if no run waits, record the event (and buffer it as a message until `expiresAt`);
   *   `look`: record nothing; `again`: like `look`, but for an event that is already recorded
   */
  recordInboundEvent(
    event: InboundEvent,
    options: {
      readonly mode: 'look' | 'record' | 'again';
      /** Ids of workflows that refuse the event. */
      readonly refusedBy: readonly string[];
      readonly now: number;
      /** Time during which only the caller correlates a buffered event, in ms; after that, other servers do. */
      readonly leaseMs: number;
    },
  ): Promise<RecordResult>;
  /** Counts refused deliveries, in one record per kind of refusal and minute. */
  recordRefusedEvents(refusals: readonly RefusedEventCount[]): Promise<void>;
  /** Lists inbound events without payloads, newest first. */
  listInboundEvents(filter: InboundEventFilter, page: PageRequest): Promise<Page<Omit<InboundEventRecord, 'payload'>>>;
  findInboundEvent(eventId: string): Promise<InboundEventRecord | undefined>;
}

/** A delivery whose sender was verified. */
export interface InboundEvent extends MessageChannel {
  readonly eventId: string;
  /** The plugin that received it, for example `event-ingress`. */
  readonly via: string;
  readonly source: string;
  /** Identifies the delivery among those of its source. */
  readonly idempotencyKey: string;
  /** SHA-256 (hex) of the signed content without its time: the raw body, and the id if it is signed too. */
  readonly bodyDigest: string;
  /** Whether a delivery with the same digest is a repeat, even with another key. */
  readonly oncePerBody: boolean;
  readonly payload: JsonObject;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  /** When the buffered event expires; `null` if it reaches existing subscriptions only. */
  readonly expiresAt: number | null;
  readonly actor: RecordedActor | null;
  readonly from: string | null;
  readonly traceId: string | null;
}

/**
 * `repeated`: the delivery was recorded before. `recorded`: no run waits for it. `matches`: the waiting run of each
 * workflow; nothing was written. `claimed`: another process is recording the same delivery; call again.
 */
export type RecordResult =
  | {
      readonly kind: 'repeated';
      readonly event: InboundEventRecord;
      /** Whether the event is still buffered as a message. */
      readonly isBuffered: boolean;
    }
  | { readonly kind: 'recorded' | 'claimed' }
  | { readonly kind: 'matches'; readonly matches: readonly EventMatch[] };

export interface EventMatch extends Pick<MessageMatch, 'workflowId' | 'to'> {
  /** Whether the workflow must receive an earlier message first. */
  readonly hasEarlierMessage: boolean;
}

/** The inbound event that a command delivers to a run, and that the commit records. */
export interface InboundEventCause {
  readonly from: 'event';
  readonly event: InboundEvent;
  /**
   * Whether the event is already recorded. If so, the commit requires that no run has received it and that it is not
   * buffered.
   */
  readonly isRedelivery: boolean;
  /** Whether the event stays in its channel as a message, because it is buffered or other workflows wait for it. */
  readonly keep: boolean;
  readonly refusedBy: readonly string[];
  /** Lease of the buffered event, in ms, as in `recordInboundEvent`. */
  readonly leaseMs: number;
}

/** `matched`: it resumed or started a run. `expired`: it was buffered, but no run waited for it. */
export type InboundEventStatus = 'matched' | 'unmatched' | 'buffered' | 'expired' | 'refused';

export interface InboundEventRecord {
  readonly eventId: string;
  readonly via: string;
  /** `null` if the sender is unknown. */
  readonly source: string | null;
  readonly status: InboundEventStatus;
  /** The reason for the refusal; otherwise `null`. */
  readonly code: string | null;
  /** This and the next three are `null` for a refused event, because its sender or content is not verified. */
  readonly idempotencyKey: string | null;
  readonly bodyDigest: string | null;
  readonly correlationKey: string | null;
  readonly payload: JsonObject | null;
  /** Also `null` for a refused event, unless the name was the reason. */
  readonly messageName: string | null;
  readonly receivedAt: number;
  readonly expiresAt: number | null;
  readonly resumedRunIds: readonly string[];
  readonly startedRunIds: readonly string[];
  /** Number of repeated deliveries. */
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
  /** Whether to return only events that were delivered more than once. */
  readonly repeated?: boolean;
}

/** Deliveries that were refused for the same reason. */
export interface RefusedEventCount {
  readonly eventId: string;
  readonly via: string;
  /** `null` if the sender is unknown. The name that an unverified sender claims is not recorded. */
  readonly source: string | null;
  readonly code: string;
  readonly messageName: string | null;
  /** Time at which the first delivery arrived, in ms since the epoch. */
  readonly receivedAt: number;
  readonly from: string | null;
  readonly traceId: string | null;
  readonly count: number;
}
