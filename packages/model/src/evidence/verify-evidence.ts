import { isJsonObject } from '../json.js';
import type { EvidenceCheck } from './evidence-check.js';
import { AUDIT_TRAIL_FORMAT, verifyAuditTrail } from './verify-audit-trail.js';
import { verifyEvidencePack } from './verify-evidence-pack.js';

/**
 * Checks an evidence pack or an exported audit trail, depending on its format.
 *
 * @param document JSON, from any source
 */
export function verifyEvidence(document: unknown): EvidenceCheck {
  return isJsonObject(document) && document['schema'] === AUDIT_TRAIL_FORMAT
    ? verifyAuditTrail(document)
    : verifyEvidencePack(document);
}
