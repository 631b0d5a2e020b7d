import { encodeBase64Url } from '../base64-url.js';
import { isJsonObject } from '../json.js';
import type { SignedStatement } from '../read-signed-statement.js';
import { checkEvidencePack } from './check-evidence-pack.js';
import { checkEvidence, type EvidenceCheck } from './evidence-check.js';
import { verifySignatures } from './verify-signatures.js';

/** An Ed25519 signature (RFC 8032) that a pack contains. */
export interface EvidenceSignature extends Pick<SignedStatement, 'signedBytes' | 'signature'> {
  /** The 32 bytes of the key in base64url. */
  readonly publicKey: string;
}

/** Returns whether a signature is valid; `undefined` if this platform cannot verify signatures. */
export type VerifySignature = (signature: EvidenceSignature) => Promise<boolean | undefined>;

export interface AsyncEvidenceCheck extends EvidenceCheck {
  /** Number of signatures of votes and of registered keys that were verified, valid or not. */
  readonly verifiedSignatures: number;
  /** Number of signatures that could not be verified. Only what they sign was compared with the pack. */
  readonly uncheckedSignatures: number;
}

/**
 * Performs the same checks as `verifyEvidencePack()`, without the cryptography of Node.js, for browsers: their
 * verification of signatures is asynchronous.
 *
 * @param pack JSON, from any source; must not change during the check
 * @param expectedRunId the run that the pack must be about; by default, any run
 */
export async function verifyEvidencePackAsync(
  pack: unknown,
  verifySignature: VerifySignature,
  expectedRunId?: string,
): Promise<AsyncEvidenceCheck> {
  const results = new Map<string, boolean | undefined>();
  for (const [key, signature] of collectSignatures(pack)) results.set(key, await verifySignature(signature));
  const isSignedBy = (statement: SignedStatement, publicKey: string): boolean => {
    const key = toKey({ ...statement, publicKey });
    return results.has(key) && (results.get(key) ?? true);
  };
  const uncheckedSignatures = [...results.values()].filter((isValid) => isValid === undefined).length;
  return {
    ...checkEvidencePack(pack, isSignedBy, expectedRunId),
    verifiedSignatures: results.size - uncheckedSignatures,
    uncheckedSignatures,
  };
}

/** Returns all signatures that the check asks for. */
function collectSignatures(pack: unknown): ReadonlyMap<string, EvidenceSignature> {
  const signatures = new Map<string, EvidenceSignature>();
  if (!isJsonObject(pack)) return signatures;
  const collect = ({ signedBytes, signature }: SignedStatement, publicKey: string): boolean => {
    const found = { publicKey, signedBytes, signature };
    signatures.set(toKey(found), found);
    return true;
  };
  // The check itself reports the problems.
  checkEvidence((report) => {
    verifySignatures(pack, collect, report);
    return [];
  });
  return signatures;
}

function toKey({ publicKey, signedBytes, signature }: EvidenceSignature): string {
  return [publicKey, encodeBase64Url(signature), encodeBase64Url(signedBytes)].join(' ');
}
