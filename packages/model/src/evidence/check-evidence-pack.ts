import { isJsonObject, type JsonObject } from '../json.js';
import { findAuditErasures } from './find-audit-erasures.js';
import { findCoverageGaps, type CoverageGap } from './coverage-gap.js';
import { findErasures } from './find-erasures.js';
import { checkEvidence, type EvidenceCheck } from './evidence-check.js';
import { toHistoryEvent } from './to-history-event.js';
import type { ReportProblem } from './integrity-problem.js';
import { requireObject, requireObjects, stringOr } from './pack-members.js';
import { AUDIT_FIELDS, EVENT_FIELDS, verifyChain, verifyLink } from './verify-chain.js';
import { verifyAuditPersons, verifyPersons } from './verify-persons.js';
import { verifySignatures, type IsSignedBy } from './verify-signatures.js';
import { verifyStatements } from './verify-statements.js';

/** The pack formats that can be verified: the current one, and those of older servers. */
export const EVIDENCE_PACK_FORMATS: readonly string[] = Object.freeze([
  'urn:countersign:schema:evidence-pack:1',
  'urn:countersign:schema:evidence-pack:2',
]);

/**
 * Checks an evidence pack like `verifyEvidencePack()`, with a given check of signatures. Needs nothing of Node.js.
 *
 * @param pack JSON, from any source
 * @param expectedRunId the run that the pack must be about; `undefined`: any run
 */
export function checkEvidencePack(pack: unknown, isSignedBy: IsSignedBy, expectedRunId?: string): EvidenceCheck {
  return checkEvidence((report) => verify(pack, isSignedBy, expectedRunId, report));
}

function verify(
  pack: unknown,
  isSignedBy: IsSignedBy,
  expectedRunId: string | undefined,
  report: ReportProblem,
): CoverageGap[] {
  if (!isJsonObject(pack) || !EVIDENCE_PACK_FORMATS.includes(stringOr(pack['schema'], ''))) {
    report(
      'format_unknown',
      '/schema',
      `This is not an evidence pack of a known format (${EVIDENCE_PACK_FORMATS.join(', ')}).`,
    );
    return [];
  }
  const [run, chain] = [requireObject(pack, 'run', '', report), requireObject(pack, 'chain', '', report)];
  const [events, audit, refusals] = [
    requireObjects(pack, 'events', '', report),
    requireObjects(pack, 'auditEvents', '', report),
    requireObjects(pack, 'refusals', '', report),
  ];
  const runId = stringOr(run['runId'], '');
  if (expectedRunId !== undefined && runId !== expectedRunId)
    report('statement_differs', '/run/runId', 'This is the evidence pack of another run.');
  const history = events.map(toHistoryEvent);
  const erased = findErasures(history);
  verifyChain(
    {
      links: events,
      pointer: '/events',
      fields: EVENT_FIELDS,
      runId,
      head: requireObject(chain, 'runHead', '/chain', report),
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
      head: requireObject(chain, 'auditHead', '/chain', report),
      erased: erased.auditEvents,
    },
    report,
  );
  const erasedRefusals = findAuditErasures(refusals);
  for (const [index, entry] of refusals.entries())
    verifyLink(entry, AUDIT_FIELDS, null, erasedRefusals.has(Number(entry['seq'])), `/refusals/${index}`, report);
  verifyEventReferences(events, audit, report);
  for (const [index, event] of events.entries()) verifyPersons(event, `/events/${index}`, report);
  for (const [index, entry] of audit.entries()) verifyAuditPersons(entry, `/auditEvents/${index}`, report);
  for (const [index, entry] of refusals.entries()) verifyAuditPersons(entry, `/refusals/${index}`, report);
  verifyStatements(pack, history, report);
  verifySignatures(pack, isSignedBy, report);
  return findCoverageGaps(history);
}

/**
 * Checks that each audit event references the last run event of its command, so that neither chain can be truncated
 * alone.
 */
function verifyEventReferences(
  events: readonly JsonObject[],
  audit: readonly JsonObject[],
  report: ReportProblem,
): void {
  let lastSeq = 0;
  for (const [index, { target }] of audit.entries()) {
    const seq = isJsonObject(target) ? Number(target['eventSeq']) : Number.NaN;
    if (!(seq > lastSeq))
      report(
        'head_differs',
        `/auditEvents/${index}/target`,
        'Each audit event must reference a later run event than the audit event before it.',
      );
    lastSeq = seq;
  }
  if (lastSeq !== events.length)
    report('head_differs', '/auditEvents', 'The last audit event does not reference the last run event.');
}
