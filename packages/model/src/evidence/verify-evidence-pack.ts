import { isSignedBy } from '../signed-statement.js';
import { checkEvidencePack } from './check-evidence-pack.js';
import type { EvidenceCheck } from './evidence-check.js';

export { EVIDENCE_PACK_FORMATS } from './check-evidence-pack.js';

/**
 * Checks an evidence pack on its own, as described in docs/evidence-packs.md: both hash chains with their heads,
 * commitments, the people that events name, the pack's statements against its events (verify-statements.ts), and signed
 * votes. Pure: no clock, no input or output.
 *
 * @param pack JSON, from any source
 */
export function verifyEvidencePack(pack: unknown): EvidenceCheck {
  return checkEvidencePack(pack, isSignedBy);
}
