import { canonicalJson } from '../canonical-json.js';
import { ERASED } from '../personal-data-scope.js';
import { SYSTEM_ACTOR } from '../principal.js';
import { isoTime } from '../iso-time.js';
import { isJsonObject, type Json, type JsonObject } from '../json.js';
import { escapePointer } from '../json-pointer.js';
import type { ApprovalInHistory } from './approval-history.js';
import type { HistoryEvent } from './recorded-facts.js';

/**
 * The members of a variable that contains a decision. The comment is not included, because an expression of the BPMN
 * model may change it.
 */
const DECISION_MEMBERS = Object.freeze(['decidedAt', 'decidedBy', 'decision', 'round'] as const);

const DECISION_BY_STATUS: Readonly<Partial<Record<ApprovalInHistory['status'], string>>> = Object.freeze({
  approved: 'approve',
  rejected: 'reject',
  changes_requested: 'request_changes',
  expired: 'reject',
});

/** A decision found in a variable, serialized so that it can be compared, with its location in the value (RFC 6901). */
export interface FoundDecision {
  readonly pointer: string;
  readonly decision: string;
  /** Whether the person who decided is erased. */
  readonly isErased: boolean;
}

/**
 * Finds every value that has the form of an approval decision. Approvals write decisions to variables, which runs pass
 * on.
 */
export function findDecisions(value: Json | undefined, pointer = ''): FoundDecision[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => findDecisions(each, `${pointer}/${index}`));
  if (!isJsonObject(value)) return [];
  const nested = Object.entries(value).flatMap(([name, each]) =>
    findDecisions(each, `${pointer}/${escapePointer(name)}`),
  );
  const decision = serializeDecision(value);
  return decision === undefined ? nested : [{ pointer, decision, isErased: value['decidedBy'] === ERASED }, ...nested];
}

function serializeDecision(value: JsonObject): string | undefined {
  if (!DECISION_MEMBERS.every((name) => Object.hasOwn(value, name))) return undefined;
  return canonicalJson(Object.fromEntries(DECISION_MEMBERS.map((name) => [name, value[name] ?? null])));
}

/**
 * Returns a copy of a value in which the given decisions, as found by {@link findDecisions}, no longer name the person
 * who decided.
 */
export function eraseDeciders(value: Json, decisions: ReadonlySet<string>): Json {
  if (Array.isArray(value)) return value.map((each) => eraseDeciders(each, decisions));
  if (!isJsonObject(value)) return value;
  const nested = Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, eraseDeciders(each, decisions)]),
  );
  const decision = serializeDecision(value);
  return decision !== undefined && decisions.has(decision) ? { ...nested, decidedBy: ERASED } : nested;
}

/**
 * Returns the decisions that the history of a run records: those of its approvals, and those in the data of its events.
 */
export function collectRecordedDecisions(
  events: readonly HistoryEvent[],
  approvals: Iterable<ApprovalInHistory>,
): ReadonlySet<string> {
  const approvalDecisions = [...approvals].flatMap((approval) => serializeApprovalDecision(approval) ?? []);
  return new Set([
    ...approvalDecisions,
    ...events.flatMap((event) => findDecisions(event.private as JsonObject | null).map(({ decision }) => decision)),
  ]);
}

/**
 * Returns the decision of an approval in the form of {@link findDecisions}; `undefined` if there is none, or the person
 * who decided is unknown.
 */
function serializeApprovalDecision({ status, resolvedAt, resolvedBy, round }: ApprovalInHistory): string | undefined {
  const decision = DECISION_BY_STATUS[status];
  const decidedBy = status === 'expired' ? SYSTEM_ACTOR.id : resolvedBy;
  if (decision === undefined || resolvedAt === null || decidedBy === null) return undefined;
  return canonicalJson({ decidedAt: isoTime(resolvedAt), decidedBy, decision, round });
}
