import { isJsonObject, type JsonObject } from '../json.js';
import { findPeopleInEvent, findPeopleInAudit } from '../person-digest.js';
import { findAuditErasures } from './find-audit-erasures.js';
import { findErasures } from './find-erasures.js';
import { objectOrEmpty, stringOr } from './pack-members.js';
import type { HistoryEvent } from './recorded-facts.js';

/** A statement that the hash chain of a run does not prove, with the reason. */
export interface CoverageGap {
  readonly code: CoverageGapCode;
  /**
   * Positions of the events concerned, ascending; of audit events if the code implies it, or if the document has no
   * other events.
   */
  readonly events: readonly number[];
  /** Explanation for readers of the document. */
  readonly explanation: string;
}

export type CoverageGapCode = keyof typeof EXPLANATIONS;

const EXPLANATIONS = Object.freeze({
  person_digests_missing:
    'These events were written before people were part of the hashed data. The commitment proves the people they name, as long as the private part is there; once it is gone, nothing tells who they were.',
  deployer_not_recorded:
    'These events were written before the deployer of the workflow was recorded, so nothing tells who deployed it.',
  audit_private_part_erased:
    'The private parts of these audit events were erased, and later events say so. Who acted, from where, and with what details, is missing there.',
  private_part_erased:
    'The private parts of these events were erased, and later events say so. People and free text are missing where this pack would take them from these events.',
});

/**
 * Returns the statements that the history of a run does not prove: about people in events that older versions wrote,
 * and erased data. An empty list means that the hashes cover all people.
 *
 * @param events oldest first
 */
export function findCoverageGaps(events: readonly HistoryEvent[]): CoverageGap[] {
  const { events: erasedPositions, auditEvents } = findErasures(events);
  const positionsByCode: Record<CoverageGapCode, number[]> = {
    person_digests_missing: [],
    deployer_not_recorded: [],
    private_part_erased: [],
    audit_private_part_erased: [...auditEvents].sort((a, b) => a - b),
  };
  for (const event of events) {
    const { seq, type, data, private: privatePart } = event;
    if (!isJsonObject(privatePart)) {
      if (erasedPositions.has(seq)) positionsByCode.private_part_erased.push(seq);
      continue;
    }
    if (data['personDigests'] === undefined && Object.keys(findPeopleInEvent(type, privatePart)).length > 0)
      positionsByCode.person_digests_missing.push(seq);
    if ((type === 'run.started' || type === 'run.migrated') && privatePart['deployedBy'] === undefined)
      positionsByCode.deployer_not_recorded.push(seq);
  }
  return buildGaps(positionsByCode);
}

/** Returns the coverage gaps of audit events. Audit events that earlier versions wrote have no digests of people. */
export function findAuditGaps(entries: readonly JsonObject[], laterErasures: readonly JsonObject[]): CoverageGap[] {
  const positionsWithoutDigests = entries.flatMap(({ seq, action, target, private: privatePart }) => {
    if (!isJsonObject(privatePart) || objectOrEmpty(target)['personDigests'] !== undefined) return [];
    const people = findPeopleInAudit(stringOr(action, ''), privatePart['actor'], objectOrEmpty(privatePart['data']));
    return Object.keys(people).length === 0 ? [] : [Number(seq)];
  });
  const erasedPositions = findAuditErasures([...entries, ...laterErasures]);
  return buildGaps({
    person_digests_missing: positionsWithoutDigests,
    audit_private_part_erased: entries.flatMap(({ seq, private: privatePart }) =>
      privatePart === null && erasedPositions.has(Number(seq)) ? [Number(seq)] : [],
    ),
  });
}

function buildGaps(positionsByCode: Partial<Record<CoverageGapCode, readonly number[]>>): CoverageGap[] {
  const codes = Object.keys(EXPLANATIONS) as CoverageGapCode[];
  return codes.flatMap((code) => {
    const events = positionsByCode[code] ?? [];
    return events.length === 0 ? [] : [{ code, events, explanation: EXPLANATIONS[code] }];
  });
}
