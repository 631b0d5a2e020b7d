import { isJsonObject, type JsonObject } from '../json.js';
import { findAuditErasures } from './find-audit-erasures.js';
import { findAuditGaps, type CoverageGap } from './coverage-gap.js';
import { checkEvidence, type EvidenceCheck } from './evidence-check.js';
import type { ReportProblem } from './integrity-problem.js';
import { requireObject, requireObjects } from './pack-members.js';
import { AUDIT_FIELDS, verifyChain, verifyLink } from './verify-chain.js';
import { verifyAuditPersons } from './verify-persons.js';

/** Format identifier of an exported part of the server's audit chain. */
export const AUDIT_TRAIL_FORMAT = 'urn:countersign:schema:audit-trail:1';

/**
 * Checks an exported part of the server's audit chain: that no entry between its two ends is missing or changed, that
 * private parts match their commitments, and the people that entries name. Pure: no clock, no input or output.
 *
 * @param trail JSON, from any source
 */
export function verifyAuditTrail(trail: unknown): EvidenceCheck {
  return checkEvidence((report) => {
    if (isJsonObject(trail) && trail['schema'] === AUDIT_TRAIL_FORMAT) return verify(trail, report);
    report('format_unknown', '/schema', `This is not an audit trail of the known format (${AUDIT_TRAIL_FORMAT}).`);
    return [];
  });
}

function verify(trail: JsonObject, report: ReportProblem): CoverageGap[] {
  const links = requireObjects(trail, 'auditEvents', '', report);
  const chain = requireObject(trail, 'chain', '', report);
  const [previous, head] = [
    requireObject(chain, 'previous', '/chain', report),
    requireObject(chain, 'head', '/chain', report),
  ];
  const laterErasures = requireObjects(trail, 'laterErasures', '', report);
  verifyChain(
    {
      links,
      pointer: '/auditEvents',
      fields: AUDIT_FIELDS,
      runId: null,
      previous,
      head,
      erased: findAuditErasures([...links, ...laterErasures]),
    },
    report,
  );
  for (const [index, entry] of laterErasures.entries())
    verifyLink(entry, AUDIT_FIELDS, null, false, `/laterErasures/${index}`, report);
  for (const [index, entry] of links.entries()) verifyAuditPersons(entry, `/auditEvents/${index}`, report);
  return findAuditGaps(links, laterErasures);
}
