import type { ServiceIdentifier } from 'inversify';
import type { JsonObject } from '@countersign/model';

/**
 * A door for systems that sign what they send instead of signing in. The server asks nobody for a token here: it reads the
 * bytes within their limits, and everything else is up to the webhook.
 */
export interface WebhookContribution {
  /** Under `/webhooks/`, for example `/webhooks/events`. */
  readonly path: string;
  /** Whether it is open; while it is not, the path answers 404 before anything is read. */
  isOpen(): boolean;
  /**
   * Verifies a delivery and takes it in. Answers after what it did is durable.
   *
   * @throws {ApiError} with what the sender did wrong; nothing was changed then.
   */
  receive(delivery: WebhookDelivery): Promise<WebhookAnswer>;
}

export const WebhookContribution: ServiceIdentifier<WebhookContribution> = Symbol.for(
  '@countersign/core:WebhookContribution',
);

export interface WebhookDelivery {
  /** The value of a header, whatever the case of its name; `undefined` where it is missing or given more than once. */
  header(name: string): string | undefined;
  /** Whether a header is there at all, also more than once. */
  isGiven(name: string): boolean;
  /** Exactly as they came. Content encodings are refused before. */
  readonly body: Buffer;
  /** The sender's address. */
  readonly from: string;
  /** Whether the request came from this machine itself and through no proxy. */
  readonly isLocal: boolean;
  readonly traceId: string;
}

export interface WebhookAnswer {
  readonly status: number;
  readonly body: JsonObject;
}
