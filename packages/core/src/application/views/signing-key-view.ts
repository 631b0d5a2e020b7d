import type { KeyEnrolment, SigningKeyRecord } from '../../ports/signing-keys.js';
import { timestamp, timestampOrNull } from './as-response.js';

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
 * Signing key as evidence. Includes its proof of registration; omits who revoked or approved it, which nothing in a
 * pack proves.
 */
export type EvidenceSigningKeyView = Omit<SigningKeyView, 'revokedBy' | 'enrolment'> & {
  proof: string;
  countersignature: string | null;
};

export function signingKeyView(key: SigningKeyRecord): SigningKeyView {
  return {
    keyId: key.keyId,
    subject: key.subject,
    name: key.name,
    publicKey: { kty: 'OKP', crv: 'Ed25519', x: key.publicKey },
    createdAt: timestamp(key.createdAt),
    enrolment: key.enrolment && { ...key.enrolment, at: timestamp(key.enrolment.at) },
    lastUsedAt: timestampOrNull(key.lastUsedAt),
    revokedAt: timestampOrNull(key.revokedAt),
    revokedBy: key.revokedBy,
  };
}

export function evidenceSigningKeyView(key: SigningKeyRecord): EvidenceSigningKeyView {
  const { revokedBy: _by, enrolment: _enrolment, ...view } = signingKeyView(key);
  return { ...view, proof: key.proof, countersignature: key.countersignature };
}
