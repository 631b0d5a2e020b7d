import type { CodehostConfiguration } from './configuration.js';
import { isSigningToken, isUsableSigningToken } from './verify-gitlab.js';

const RECOMMENDED_BYTES = 24;

/** What an operator should know of how deliveries are verified; `undefined` where all is well. */
export function secretAdvice({
  Enabled,
  Secret: secret,
  Hosts: kinds,
}: CodehostConfiguration['Integrations']['CodeHost']): string | undefined {
  if (!Enabled) return undefined;
  if (!secret.isSet) {
    return 'Nothing verifies who sends to /webhooks/codehost: anybody who reaches it can start and resume runs by codehost messages. Set Integrations:CodeHost:Secret to the secret of the webhook, or Integrations:CodeHost:Enabled to false.';
  }
  const value = secret.reveal();
  if (isSigningToken(value) && kinds.includes('gitlab') && !isUsableSigningToken(value)) {
    return 'Integrations:CodeHost:Secret begins as a signing token of GitLab, but base64 of at least 24 bytes must follow: no delivery of GitLab will be taken.';
  }
  return Buffer.byteLength(value) < RECOMMENDED_BYTES
    ? `Integrations:CodeHost:Secret is shorter than ${RECOMMENDED_BYTES} bytes: choose a longer one.`
    : undefined;
}
