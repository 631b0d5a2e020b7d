import type { ServiceIdentifier } from 'inversify';
import type { AuditEntry } from '@countersign/model';
import type { Page, PageRequest } from './records.js';

/**
 * Stores notifications for external endpoints until they are delivered. Several servers can deliver them; all times are
 * those of the database clock. A delivery is made at least once, under one id.
 */
export interface OutboundDeliveryStore {
  /** Stores a delivery durably, due immediately. An existing delivery with the same id stays unchanged. */
  accept(delivery: OutboundDelivery): Promise<void>;
  /**
   * Claims due deliveries for these endpoints, up to a limit per endpoint, for the length of a lease. Deliveries to a
   * disabled endpoint are not due, unless an operator has requested them.
   */
  claim(endpoints: readonly EndpointClaim[], leaseMs: number): Promise<readonly ClaimedDelivery[]>;
  /**
   * Records the result of an attempt.
   * @returns whether the caller still held the delivery; otherwise nothing is recorded
   */
  record(attempt: DeliveryAttempt): Promise<boolean>;
  /** Lists deliveries, newest first. */
  list(filter: OutboundDeliveryFilter, page: PageRequest): Promise<Page<OutboundDeliveryRecord>>;
  find(deliveryId: string): Promise<OutboundDeliveryRecord | undefined>;
  /**
   * Makes a delivery due immediately, whatever its status and that of its endpoint, with all attempts available again.
   * The audit entry is written in the same transaction. Returns `undefined` if the delivery does not exist.
   */
  redeliver(deliveryId: string, audit: AuditEntry): Promise<OutboundDeliveryRecord | undefined>;
  /** Lists the endpoints whose last attempt failed, and the disabled ones. */
  failingEndpoints(): Promise<readonly FailingEndpoint[]>;
  /**
   * Deletes a batch of deliveries that ended at least `olderThanMs` ago; those without a run are kept for at least two
   * days.
   *
   * @returns the number of deleted deliveries
   */
  deleteOlderThan(olderThanMs: number): Promise<number>;
}

export const OutboundDeliveryStore: ServiceIdentifier<OutboundDeliveryStore> = Symbol.for(
  '@countersign/core:OutboundDeliveryStore',
);

/** `pending` until it is `delivered`, or `failed` after the last attempt. */
export type OutboundDeliveryStatus = 'pending' | 'delivered' | 'failed';

export interface OutboundDelivery {
  /** The id of the requesting job, or an id derived from the content. The receiver recognizes repeats by it. */
  readonly deliveryId: string;
  /** `null`, like `elementId`, if no run requested it. */
  readonly runId: string | null;
  readonly elementId: string | null;
  readonly endpointId: string;
  readonly contentType: string;
  /** The body that is sent. */
  readonly body: string;
}

export interface EndpointClaim {
  readonly endpointId: string;
  /** Maximum number of deliveries to claim for the endpoint. */
  readonly maxDeliveries: number;
}

export interface ClaimedDelivery extends OutboundDelivery {
  /** Failed attempts since it was last requested. */
  readonly attempts: number;
  /** Fencing token: rejects results of earlier owners. */
  readonly epoch: number;
}

export interface DeliveryAttempt {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly epoch: number;
  /** The HTTP status of the endpoint; `null` if there was no response. */
  readonly statusCode: number | null;
  /** The error as a stable code; `null` if it was delivered. */
  readonly error: string | null;
  /** Delay until the next attempt, in ms; `null` for no further attempt. */
  readonly retryInMs: number | null;
  /** Disables the endpoint if all attempts have failed for this time, in ms; 0: immediately. */
  readonly disableAfterMs: number;
}

export interface OutboundDeliveryRecord extends Omit<OutboundDelivery, 'body'> {
  readonly status: OutboundDeliveryStatus;
  /** Whether it waits because its endpoint is disabled. */
  readonly held: boolean;
  readonly attempts: number;
  readonly statusCode: number | null;
  readonly error: string | null;
  /** Milliseconds since the epoch, like all times here. */
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

export interface FailingEndpoint {
  readonly endpointId: string;
  readonly failingSince: number;
  readonly disabledAt: number | null;
}
