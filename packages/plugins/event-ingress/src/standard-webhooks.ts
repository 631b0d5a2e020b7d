import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { WebhookDelivery } from '@countersign/core/plugin';

/** How far the time of a delivery may lie from the time here, either way, in seconds; as the libraries of Standard Webhooks have it. */
const TOLERANCE_SECONDS = 300;
/** More than any sender makes while it changes its secret. */
const MAX_SIGNATURES = 8;
const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
const ID = /^[ -~]{1,200}$/;
const TIMESTAMP = /^\d{1,12}$/;
const SIGNATURE = /^v1,([A-Za-z0-9+/]{43}=)$/;
const PREFIXED_SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;

/** Signs what nobody signs, so that a source that is unknown takes as long as one that is not. */
const NOBODYS = randomBytes(32);

/** Whether a delivery is meant to be signed by Standard Webhooks: any of its headers is there. */
export function isStandardWebhook({ isGiven }: Pick<WebhookDelivery, 'isGiven'>): boolean {
  return HEADERS.some((name) => isGiven(name));
}

/**
 * Compares the signatures of a delivery with those that some secrets make of its id, time and body (Standard Webhooks 1.0.0,
 * `v1`: HMAC-SHA256), each in constant time. A sender that changes its secret gives several, and one that holds is enough.
 *
 * @param secrets none for a source that is unknown or disabled
 * @param comparisons how many secrets are tried, at least as many as there are: the same for all, so that the time tells
 *   nobody whether a source exists
 * @param now milliseconds since the epoch
 * @returns the id of the delivery where a signature holds and the time is near; else `undefined`
 */
export function verifyStandardWebhook(
  { header, body }: Pick<WebhookDelivery, 'header' | 'body'>,
  secrets: readonly string[],
  comparisons: number,
  now: number,
): string | undefined {
  const [id = '', timestamp = '', signatures = ''] = HEADERS.map((name) => header(name));
  const given = signatures
    .split(' ')
    .slice(0, MAX_SIGNATURES)
    .map((text) => Buffer.from(SIGNATURE.exec(text)?.[1] ?? '', 'base64'));
  let holds = false;
  for (let index = 0; index < comparisons; index += 1) {
    const key = keyOf(secrets[index]);
    const made = createHmac('sha256', key ?? NOBODYS)
      .update(`${id}.${timestamp}.`)
      .update(body)
      .digest();
    for (const each of given)
      holds = (each.length === made.length && timingSafeEqual(each, made) && key !== undefined) || holds;
  }
  const isNear = TIMESTAMP.test(timestamp) && Math.abs(now / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS;
  return holds && isNear && ID.test(id) ? id : undefined;
}

/** The bytes behind `whsec_`, or else those of the text, so that a source can go over from the other signature with its secret. */
function keyOf(secret: string | undefined): Buffer | undefined {
  if (secret === undefined) return undefined;
  const base64 = PREFIXED_SECRET.exec(secret)?.[1];
  const key = base64 === undefined ? Buffer.from(secret) : Buffer.from(base64, 'base64');
  return key.length === 0 ? undefined : key;
}
