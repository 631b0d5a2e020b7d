import type { WebhookDelivery } from '@countersign/core/plugin';

/** How one kind of host proves that a delivery is its own. */
export interface Verifier {
  /**
   * Whether a delivery was made with one of the secrets. Tries all of them, and compares in constant time; what is missing
   * or malformed never holds.
   *
   * @param now milliseconds since the epoch, for schemes that sign the time
   */
  verify(delivery: Pick<WebhookDelivery, 'header' | 'body'>, secrets: readonly string[], now: number): boolean;
}
