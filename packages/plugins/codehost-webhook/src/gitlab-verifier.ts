import { createHmac } from 'node:crypto';
import type { WebhookDelivery } from '@countersign/core/plugin';
import { anyMatches, equalInConstantTime } from './constant-time.js';
import type { Verifier } from './verifier.js';

const SIGNING_TOKEN = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;
const TOLERANCE_SECONDS = 300;
const MAX_SIGNATURES = 8;

/**
 * Verifies one of GitLab's two schemes. With a signing token (`whsec_…`), GitLab signs as in Standard Webhooks 1.0.0; a
 * secret token is sent unchanged in a header. Only the configured secret selects the scheme: if the headers did, an
 * attacker could choose the scheme without a signature.
 */
export const gitlabVerifier: Verifier = {
  verify(delivery, secrets, now) {
    return anyMatches(secrets, (secret) =>
      isSigningToken(secret) ? isSignatureValid(delivery, secret, now) : isTokenValid(delivery, secret),
    );
  },
};

/** Returns whether a secret is intended as a signing token of GitLab. */
export function isSigningToken(secret: string): boolean {
  return secret.startsWith('whsec_');
}

/**
 * Returns whether a signing token is usable: `whsec_` and base64 of at least 24 bytes (Standard Webhooks, "Signature
 * scheme").
 */
export function isUsableSigningToken(secret: string): boolean {
  return (decodeKey(secret)?.length ?? 0) >= 24;
}

function isTokenValid({ header }: Pick<WebhookDelivery, 'header'>, secret: string): boolean {
  const token = header('X-Gitlab-Token');
  return token !== undefined && equalInConstantTime(token, secret);
}

function isSignatureValid(
  { header, body }: Pick<WebhookDelivery, 'header' | 'body'>,
  secret: string,
  now: number,
): boolean {
  const [id, timestamp, signatures] = [header('webhook-id'), header('webhook-timestamp'), header('webhook-signature')];
  const key = decodeKey(secret);
  if (id === undefined || timestamp === undefined || signatures === undefined || key === undefined || key.length === 0)
    return false;
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const expected = `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
  return anyMatches(signatures.split(' ').slice(0, MAX_SIGNATURES), (signature) =>
    equalInConstantTime(signature, expected),
  );
}

function decodeKey(secret: string): Buffer | undefined {
  const base64 = SIGNING_TOKEN.exec(secret)?.[1];
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64');
}
