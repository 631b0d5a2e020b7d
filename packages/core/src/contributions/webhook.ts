import type { ServiceIdentifier } from 'inversify';
import type { JsonObject } from '@countersign/model';

/**
 * An endpoint for systems that sign their requests instead of signing in. The server requires no token: it reads the
 * body within its size limits, and the webhook does everything else.
 */
export interface WebhookContribution {
  /** Path under `/webhooks/`, for example `/webhooks/events`. */
  readonly path: string;
  /** Returns whether the webhook is open. While it is closed, the path responds with 404 before the body is read. */
  isOpen(): boolean;
  /**
   * Verifies and stores a delivery. Responds after all changes are durable.
   *
   * @throws {ApiError} if the request is invalid; nothing is changed in this case
   */
  receive(delivery: WebhookDelivery): Promise<WebhookResponse>;
}

export const WebhookContribution: ServiceIdentifier<WebhookContribution> = Symbol.for(
  '@countersign/core:WebhookContribution',
);

export interface WebhookDelivery {
  /** Returns the value of a header (case-insensitive name); `undefined` if it is missing or repeated. */
  header(name: string): string | undefined;
  /** Returns whether a header is present, once or repeatedly. */
  hasHeader(name: string): boolean;
  /** Body bytes as received. Requests with a content encoding are refused earlier. */
  readonly body: Buffer;
  /** Address of the sender. */
  readonly from: string;
  /** Whether the request came from this machine without a proxy. */
  readonly isLocal: boolean;
  readonly traceId: string;
}

export interface WebhookResponse {
  readonly status: number;
  readonly body: JsonObject;
}
