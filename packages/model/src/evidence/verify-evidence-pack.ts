import { isJsonObject, type JsonObject } from '../json.js';
import { auditErasuresIn } from './audit-erasures.js';
import { coverageGaps, type CoverageGap } from './coverage-gap.js';
import { erasuresIn } from './erasures.js';
import { checkEvidence, type EvidenceCheck } from './evidence-check.js';
import { historyEvent } from './history-event.js';
import type { Report } from './integrity-problem.js';
import { objectAt, objectsAt, textOr } from './pack-members.js';
import { AUDIT_FIELDS, EVENT_FIELDS, verifyChain, verifyLink } from './verify-chain.js';
import { verifyAuditPersons, verifyPersons } from './verify-persons.js';
import { verifySignatures } from './verify-signatures.js';
import { verifyStatements } from './verify-statements.js';

/** The pack formats that can be verified: the current one, and those of older servers. */
export const EVIDENCE_PACK_FORMATS: readonly string[] = Object.freeze([
  'urn:countersign:schema:evidence-pack:1',
  'urn:countersign:schema:evidence-pack:2',
]);

/**
 * Checks an evidence pack on its own, as described in docs/evidence-packs.md: both hash chains with their heads,
 * commitments, the people that events name, the pack's statements about people and approvals against its events, and
 * signed votes. Pure: no clock, no input or output.
 *
 * @param pack JSON, from any source
 */
export function verifyEvidencePack(pack: unknown): EvidenceCheck {
  return checkEvidence((report) => verify(pack, report));
}

function verify(pack: unknown, report: Report): CoverageGap[] {
  if (!isJsonObject(pack) || !EVIDENCE_PACK_FORMATS.includes(textOr(pack['schema'], ''))) {
    report(
      'format_unknown',
      '/schema',
      `This is not an evidence pack of a known format (${EVIDENCE_PACK_FORMATS.join(', ')}).`,
    );
    return [];
  }
  const [run, chain] = [objectAt(pack, 'run', '', report), objectAt(pack, 'chain', '', report)];
  const [events, audit, refusals] = [
    objectsAt(pack, 'events', '', report),
    objectsAt(pack, 'auditEvents', '', report),
    objectsAt(pack, 'refusals', '', report),
  ];
  const runId = textOr(run['runId'], '');
  const history = events.map(historyEvent);
  const erased = erasuresIn(history);
  verifyChain(
    {
      links: events,
      pointer: '/events',
      fields: EVENT_FIELDS,
      runId,
      head: objectAt(chain, 'runHead', '/chain', report),
      erased: erased.events,
    },
    report,
  );
  verifyChain(
    {
      links: audit,
      pointer: '/auditEvents',
      fields: AUDIT_FIELDS,
      runId,
      head: objectAt(chain, 'auditHead', '/chain', report),
      erased: erased.auditEvents,
    },
    report,
  );
  const erasedRefusals = auditErasuresIn(refusals);
  for (const [index, entry] of refusals.entries())
    verifyLink(entry, AUDIT_FIELDS, null, erasedRefusals.has(Number(entry['seq'])), `/refusals/${index}`, report);
  verifyBelonging(events, audit, report);
  for (const [index, event] of events.entries()) verifyPersons(event, `/events/${index}`, report);
  for (const [index, entry] of audit.entries()) verifyAuditPersons(entry, `/auditEvents/${index}`, report);
  for (const [index, entry] of refusals.entries()) verifyAuditPersons(entry, `/refusals/${index}`, report);
  verifyStatements(pack, history, report);
  verifySignatures(pack, report);
  return coverageGaps(history);
}

/**
 * Checks that each audit event names the last run event of its command, so neither chain can be cut without the other.
 */
function verifyBelonging(events: readonly JsonObject[], audit: readonly JsonObject[], report: Report): void {
  let last = 0;
  for (const [index, { target }] of audit.entries()) {
    const seq = isJsonObject(target) ? Number(target['eventSeq']) : Number.NaN;
    if (!(seq > last))
      report(
        'head_differs',
        `/auditEvents/${index}/target`,
        'Audit events must name the run events that they caused, in order.',
      );
    last = seq;
  }
  if (last !== events.length)
    report('head_differs', '/auditEvents', 'The last audit event does not name the last run event.');
}
