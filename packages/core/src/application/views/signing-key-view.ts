import type { SigningKeyRecord } from '../../ports/signing-keys.js';
import { timestamp, timestampOrNull } from './as-response.js';

export type SigningKeyView = {
  keyId: string;
  subject: string;
  name: string;
  publicKey: { kty: 'OKP'; crv: 'Ed25519'; x: string };
  createdAt: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
  revokedBy: string | null;
};

/** A key as evidence: with what it was registered with. */
export type EvidenceSigningKeyView = SigningKeyView & { proof: string };

export function signingKeyView(key: SigningKeyRecord): SigningKeyView {
  return {
    keyId: key.keyId,
    subject: key.subject,
    name: key.name,
    publicKey: { kty: 'OKP', crv: 'Ed25519', x: key.publicKey },
    createdAt: timestamp(key.createdAt),
    lastUsedAt: timestampOrNull(key.lastUsedAt),
    revokedAt: timestampOrNull(key.revokedAt),
    revokedBy: key.revokedBy,
  };
}

export function evidenceSigningKeyView(key: SigningKeyRecord): EvidenceSigningKeyView {
  return { ...signingKeyView(key), proof: key.proof };
}
