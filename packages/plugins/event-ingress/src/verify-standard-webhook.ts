import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { WebhookDelivery } from '@countersign/core/plugin';

/**
 * Maximum difference between the time of a delivery and this clock, in seconds, as in the libraries of Standard
 * Webhooks.
 */
const TOLERANCE_SECONDS = 300;
/** Maximum number of signatures that are compared; more than any sender sends while it rotates its secret. */
const MAX_SIGNATURES = 8;
const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
const ID_PATTERN = /^[ -~]{1,200}$/;
const TIMESTAMP_PATTERN = /^\d{1,12}$/;
const SIGNATURE_PATTERN = /^v1,([A-Za-z0-9+/]{43}=)$/;
const PREFIXED_SECRET_PATTERN = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;

/** Dummy key, so that an unknown source takes as long as a known one. */
const DUMMY_KEY = randomBytes(32);

/** Returns whether a delivery is meant to be signed according to Standard Webhooks: it has any of their headers. */
export function isStandardWebhook({ hasHeader: isHeaderPresent }: Pick<WebhookDelivery, 'hasHeader'>): boolean {
  return HEADERS.some((name) => isHeaderPresent(name));
}

/**
 * Compares the signatures of a delivery with the expected signature of its id, time and body under each secret
 * (Standard Webhooks 1.0.0, `v1`: HMAC-SHA256), in constant time. A sender that rotates its secret sends several; one
 * valid signature is enough.
 *
 * @param secrets empty for an unknown or disabled source
 * @param comparisonCount number of expected signatures to compute, at least `secrets.length`: the same for every
 *   source,
 *   so that the time does not reveal whether a source exists
 * @param now milliseconds since the epoch
 * @returns the id of the delivery if a signature is valid and the time is within the tolerance; otherwise `undefined`
 */
export function verifyStandardWebhook(
  { header, body }: Pick<WebhookDelivery, 'header' | 'body'>,
  secrets: readonly string[],
  comparisonCount: number,
  now: number,
): string | undefined {
  const [id = '', timestamp = '', signatures = ''] = HEADERS.map((name) => header(name));
  const claimedSignatures = signatures
    .split(' ')
    .slice(0, MAX_SIGNATURES)
    .map((text) => Buffer.from(SIGNATURE_PATTERN.exec(text)?.[1] ?? '', 'base64'));
  let isValid = false;
  for (let index = 0; index < comparisonCount; index += 1) {
    const key = decodeKey(secrets[index]);
    const expected = createHmac('sha256', key ?? DUMMY_KEY)
      .update(`${id}.${timestamp}.`)
      .update(body)
      .digest();
    for (const claimed of claimedSignatures)
      isValid =
        (claimed.length === expected.length && timingSafeEqual(claimed, expected) && key !== undefined) || isValid;
  }
  const isTimely = TIMESTAMP_PATTERN.test(timestamp) && Math.abs(now / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS;
  return isValid && isTimely && ID_PATTERN.test(id) ? id : undefined;
}

/**
 * Returns the key: the base64-decoded bytes after `whsec_`, or otherwise the bytes of the whole secret, so that a
 * source can keep its secret when it changes from the other signing scheme.
 */
function decodeKey(secret: string | undefined): Buffer | undefined {
  if (secret === undefined) return undefined;
  const base64 = PREFIXED_SECRET_PATTERN.exec(secret)?.[1];
  const key = base64 === undefined ? Buffer.from(secret) : Buffer.from(base64, 'base64');
  return key.length === 0 ? undefined : key;
}
