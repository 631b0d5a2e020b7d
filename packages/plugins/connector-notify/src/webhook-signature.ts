import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Decodes the key of a webhook secret (Standard Webhooks 1.0.0, "Signature scheme": 24 to 64 bytes). Returns
 * `undefined` if the secret is invalid.
 */
export function decodeWebhookKey(secret: string): Buffer | undefined {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : '';
  const key = BASE64.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.alloc(0);
  return key.length >= 24 && key.length <= 64 ? key : undefined;
}

/**
 * Returns the headers of a signed delivery (Standard Webhooks 1.0.0). During a rotation there is one signature per
 * secret, so that a receiver that knows either secret can verify the delivery.
 *
 * @param secrets secrets currently accepted; invalid ones are skipped
 * @param now milliseconds since the epoch
 */
export function createSignatureHeaders(
  id: string,
  body: string,
  secrets: readonly string[],
  now: number,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1_000));
  const signatures = secrets
    .map(decodeWebhookKey)
    .filter((key) => key !== undefined)
    .map((key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`);
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
