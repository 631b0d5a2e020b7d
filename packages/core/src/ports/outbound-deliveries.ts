import type { ServiceIdentifier } from 'inversify';
import type { AuditEntry } from '@countersign/model';
import type { Page, PageRequest } from './records.js';

/**
 * Notifications on their way to endpoints of other systems, kept until each has been delivered. Any number of servers
 * work on them; the time is that of the database. A delivery is made at least once, under one id.
 */
export interface OutboundDeliveryStore {
  /** Keeps a delivery, durably, to be made at once. Once for its id: what is kept already stays as it is. */
  accept(delivery: OutboundDelivery): Promise<void>;
  /**
   * Takes deliveries that are due, of these endpoints, at most so many of each. They belong to the caller for so long;
   * then they are due again. What is held, since its endpoint is disabled, is not due, unless an operator asked for it.
   */
  claim(endpoints: readonly ClaimedEndpoint[], leaseMs: number): Promise<readonly ClaimedDelivery[]>;
  /** Notes what came of an attempt. @returns whether the delivery still belonged to the caller; otherwise nothing is noted. */
  record(attempt: DeliveryAttempt): Promise<boolean>;
  /** Newest first. */
  list(filter: OutboundDeliveryFilter, page: PageRequest): Promise<Page<OutboundDeliveryRecord>>;
  find(deliveryId: string): Promise<OutboundDeliveryRecord | undefined>;
  /**
   * Makes a delivery due at once, whatever became of it and of its endpoint, with all its attempts ahead; the audit entry
   * is written along. `undefined`: there is none.
   */
  redeliver(deliveryId: string, audit: AuditEntry): Promise<OutboundDeliveryRecord | undefined>;
  /** The endpoints that failed last, and those that are disabled. */
  troubledEndpoints(): Promise<readonly TroubledEndpoint[]>;
  /**
   * Forgets deliveries that have come to an end so long ago, some at a time; those that no run asked for, two days ago at
   * least. @returns how many
   */
  forget(olderThanMs: number): Promise<number>;
}

export const OutboundDeliveryStore: ServiceIdentifier<OutboundDeliveryStore> = Symbol.for(
  '@countersign/core:OutboundDeliveryStore',
);

/** `pending` until it is `delivered` or has `failed` as often as it is tried. */
export type OutboundDeliveryStatus = 'pending' | 'delivered' | 'failed';

export interface OutboundDelivery {
  /** The id of the job that asks for it, or derived from what it tells of; what the receiver tells repeats by. */
  readonly deliveryId: string;
  /** `null`, as the element: no run asks for it. */
  readonly runId: string | null;
  readonly elementId: string | null;
  readonly endpointId: string;
  readonly contentType: string;
  /** As it is sent. */
  readonly body: string;
}

export interface ClaimedEndpoint {
  readonly endpointId: string;
  readonly most: number;
}

export interface ClaimedDelivery extends OutboundDelivery {
  /** Attempts that have failed so far since it was asked for. */
  readonly attempts: number;
  /** Fences those who had it before. */
  readonly epoch: number;
}

export interface DeliveryAttempt {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly epoch: number;
  /** The status that the endpoint answered with; `null` where there was no answer. */
  readonly statusCode: number | null;
  /** What went wrong, by a stable code; `null`: it is delivered. */
  readonly error: string | null;
  /** When to try again, in ms from now; `null`: not again. */
  readonly retryInMs: number | null;
  /** Disables the endpoint: at once, or where it has only failed for so long, in ms. */
  readonly disableAfterMs: number;
}

export interface OutboundDeliveryRecord extends Omit<OutboundDelivery, 'body'> {
  readonly status: OutboundDeliveryStatus;
  /** Whether it waits for its endpoint, which is disabled. */
  readonly held: boolean;
  readonly attempts: number;
  readonly statusCode: number | null;
  readonly error: string | null;
  /** Milliseconds since the epoch, as all times here. */
  readonly acceptedAt: number;
  readonly lastAttemptAt: number | null;
  readonly nextAttemptAt: number | null;
  readonly endedAt: number | null;
}

export interface OutboundDeliveryFilter {
  readonly status?: OutboundDeliveryStatus;
  readonly endpointId?: string;
  readonly runId?: string;
}

export interface TroubledEndpoint {
  readonly endpointId: string;
  readonly failingSince: number;
  readonly disabledAt: number | null;
}
