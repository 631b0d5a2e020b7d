import { isConfigured, type CodehostSettings } from './configuration.js';
import { isSigningToken, isUsableSigningToken } from './gitlab-verifier.js';

const RECOMMENDED_BYTES = 24;

const REMEDY =
  'Set Integrations:CodeHost:Secret to the secret of the webhook, or Integrations:CodeHost:Enabled to false.';

/** Returns advice on the verification of deliveries for an operator; `undefined` if no fix is needed. */
export function findSecretAdvice(settings: CodehostSettings): string | undefined {
  if (!isConfigured(settings)) return undefined;
  const { Secret: secret, Hosts: kinds, AllowUnsigned } = settings;
  if (!secret.isSet) {
    return AllowUnsigned
      ? `Deliveries to /webhooks/codehost are not verified: anyone who can reach this path can start and resume runs with codehost messages. ${REMEDY}`
      : `Deliveries from programs on this machine to /webhooks/codehost are not verified, and deliveries from other machines are refused. ${REMEDY}`;
  }
  const value = secret.reveal();
  if (isSigningToken(value) && kinds.includes('gitlab') && !isUsableSigningToken(value)) {
    return 'Integrations:CodeHost:Secret starts with "whsec_" but is not a valid GitLab signing token, so deliveries from GitLab may be refused. Set it to the signing token that GitLab shows: "whsec_" followed by at least 24 bytes in base64.';
  }
  return Buffer.byteLength(value) < RECOMMENDED_BYTES
    ? `Integrations:CodeHost:Secret is shorter than ${RECOMMENDED_BYTES} bytes: choose a longer secret.`
    : undefined;
}
