import type { WebhookDelivery } from '@countersign/core/plugin';

/** Verification of the origin of deliveries for one kind of host. */
export interface Verifier {
  /**
   * Returns whether a delivery is authenticated by one of the secrets. Tries all of them and compares in constant time;
   * missing or malformed signatures are never valid.
   *
   * @param now milliseconds since the epoch, for schemes that sign the time
   */
  verify(delivery: Pick<WebhookDelivery, 'header' | 'body'>, secrets: readonly string[], now: number): boolean;
}
