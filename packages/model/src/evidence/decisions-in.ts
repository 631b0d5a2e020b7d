import { canonicalJson } from '../canonical-json.js';
import { ERASED } from '../personal-data-scope.js';
import { SYSTEM_ACTOR } from '../principal.js';
import { isoTime } from '../iso-time.js';
import { isJsonObject, type Json, type JsonObject } from '../json.js';
import { escapePointer } from '../json-pointer.js';
import type { ApprovalInHistory } from './approval-history.js';
import type { HistoryEvent } from './people-in-history.js';

/**
 * The members of a variable that holds a decision. The comment is not among them: an expression of the model may change
 * it.
 */
const MEMBERS = Object.freeze(['decidedAt', 'decidedBy', 'decision', 'round'] as const);

const DECISIONS: Readonly<Partial<Record<ApprovalInHistory['status'], string>>> = Object.freeze({
  approved: 'approve',
  rejected: 'reject',
  changes_requested: 'request_changes',
  expired: 'reject',
});

/** A decision found in a variable, as text that can be compared, with its location in the value (RFC 6901). */
export interface DecisionFound {
  readonly pointer: string;
  readonly decision: string;
  /** Whether the name of its decider is erased. */
  readonly isErased: boolean;
}

/** Finds every value that has the form of a decision: approvals write decisions to variables, and runs pass them on. */
export function decisionsIn(value: Json | undefined, pointer = ''): DecisionFound[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => decisionsIn(each, `${pointer}/${index}`));
  if (!isJsonObject(value)) return [];
  const within = Object.entries(value).flatMap(([name, each]) =>
    decisionsIn(each, `${pointer}/${escapePointer(name)}`),
  );
  const decision = textOfDecision(value);
  return decision === undefined ? within : [{ pointer, decision, isErased: value['decidedBy'] === ERASED }, ...within];
}

function textOfDecision(value: JsonObject): string | undefined {
  if (!MEMBERS.every((name) => Object.hasOwn(value, name))) return undefined;
  return canonicalJson(Object.fromEntries(MEMBERS.map((name) => [name, value[name] ?? null])));
}

/**
 * Returns a copy of a value in which the given decisions, as found by {@link decisionsIn}, no longer name their
 * deciders.
 */
export function withoutDeciders(value: Json, decisions: ReadonlySet<string>): Json {
  if (Array.isArray(value)) return value.map((each) => withoutDeciders(each, decisions));
  if (!isJsonObject(value)) return value;
  const within = Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withoutDeciders(each, decisions)]),
  );
  const decision = textOfDecision(value);
  return decision !== undefined && decisions.has(decision) ? { ...within, decidedBy: ERASED } : within;
}

/** Returns the decisions that the history of a run records: those of its approvals, and those that came with data. */
export function knownDecisions(
  events: readonly HistoryEvent[],
  approvals: Iterable<ApprovalInHistory>,
): ReadonlySet<string> {
  const ofApprovals = [...approvals].flatMap((approval) => decisionOf(approval) ?? []);
  return new Set([
    ...ofApprovals,
    ...events.flatMap((event) => decisionsIn(event.private as JsonObject | null).map(({ decision }) => decision)),
  ]);
}

/**
 * Returns the decision of an approval in the form of {@link decisionsIn}; `undefined` if there is none, or its decider
 * is unknown.
 */
function decisionOf({ status, resolvedAt, resolvedBy, round }: ApprovalInHistory): string | undefined {
  const decision = DECISIONS[status];
  const decidedBy = status === 'expired' ? SYSTEM_ACTOR.id : resolvedBy;
  if (decision === undefined || resolvedAt === null || decidedBy === null) return undefined;
  return canonicalJson({ decidedAt: isoTime(resolvedAt), decidedBy, decision, round });
}
