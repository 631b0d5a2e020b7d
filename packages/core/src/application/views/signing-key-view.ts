import type { KeyEnrolment, SigningKeyRecord } from '../../ports/signing-keys.js';
import { toTimestamp, toTimestampOrNull } from './to-json-response.js';

export type SigningKeyView = {
  keyId: string;
  subject: string;
  name: string;
  publicKey: { kty: 'OKP'; crv: 'Ed25519'; x: string };
  createdAt: string;
  enrolment: { method: KeyEnrolment['method']; by: string | null; at: string } | null;
  lastUsedAt: string | null;
  revokedAt: string | null;
  revokedBy: string | null;
};

/**
 * Signing key as evidence. Includes the proof of its registration. Omits the people who revoked or approved it, because
 * nothing in a pack proves them.
 */
export type EvidenceSigningKeyView = Omit<SigningKeyView, 'revokedBy' | 'enrolment'> & {
  proof: string;
  countersignature: string | null;
};

export function toSigningKeyView(key: SigningKeyRecord): SigningKeyView {
  return {
    keyId: key.keyId,
    subject: key.subject,
    name: key.name,
    publicKey: { kty: 'OKP', crv: 'Ed25519', x: key.publicKey },
    createdAt: toTimestamp(key.createdAt),
    enrolment: key.enrolment && { ...key.enrolment, at: toTimestamp(key.enrolment.at) },
    lastUsedAt: toTimestampOrNull(key.lastUsedAt),
    revokedAt: toTimestampOrNull(key.revokedAt),
    revokedBy: key.revokedBy,
  };
}

export function toEvidenceSigningKeyView(key: SigningKeyRecord): EvidenceSigningKeyView {
  const { revokedBy: _by, enrolment: _enrolment, ...view } = toSigningKeyView(key);
  return { ...view, proof: key.proof, countersignature: key.countersignature };
}
