import {
  startOfLocalDay,
  type Client,
  type RiskLevel,
  type RunOutcome,
  type RunStatus,
  type WaitKind,
} from '@countersign/contract';
import { mergeQuery } from '@countersign/inbox-ui/ui/merge-query';

/** Query of `GET /api/runs`, without the page. */
export type RunsQuery = Omit<NonNullable<Parameters<Client['listRuns']>[0]>, 'limit' | 'cursor'>;

const STATUSES: readonly RunStatus[] = ['active', 'blocked', 'completed', 'failed'];
const OUTCOMES: readonly RunOutcome[] = ['completed', 'failed', 'cancelled', 'rejected'];
const RISKS: readonly RiskLevel[] = ['low', 'medium', 'high', 'critical'];
const WAITS: readonly WaitKind[] = ['approval', 'question', 'event', 'timer'];

/** Values of each filter with a fixed set. */
export const CHOICES = {
  status: STATUSES,
  outcome: OUTCOMES,
  riskLevel: RISKS,
  waitingFor: WAITS,
  since: ['hour', 'day', 'week', 'month'],
  stuck: ['true'],
  root: ['true'],
} as const;

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const SINCE: Readonly<Record<(typeof CHOICES.since)[number], number>> = {
  hour: 60 * MINUTE,
  day: DAY,
  week: 7 * DAY,
  month: 30 * DAY,
};

const TEXTS = ['workflowId', 'startedBy', 'businessKey', 'q', 'from', 'to'] as const;
const MAX_LENGTHS = { workflowId: 255, startedBy: 255, businessKey: 255, q: 200, from: 10, to: 10 } as const;

/** Names of all filters, as in the address. */
export const FILTERS = [...(Object.keys(CHOICES) as (keyof typeof CHOICES)[]), ...TEXTS] as const;
export type FilterName = (typeof FILTERS)[number];

/** Filters in an address; unknown names and invalid values are left out. */
export type RunFilter = Readonly<Partial<Record<FilterName, string>>>;

export function filterOf(params: URLSearchParams): RunFilter {
  const filter: Partial<Record<FilterName, string>> = {};
  for (const name of FILTERS) {
    const value = params.get(name)?.trim();
    if (value === undefined || value === '') continue;
    if (
      isChoice(name)
        ? (CHOICES[name] as readonly string[]).includes(value)
        : value.length <= MAX_LENGTHS[name] && ((name !== 'from' && name !== 'to') || isDay(value))
    )
      filter[name] = value;
  }
  return filter;
}

function isChoice(name: FilterName): name is keyof typeof CHOICES {
  return name in CHOICES;
}

function isDay(value: string): boolean {
  // The last valid day has no following day at which it would end.
  return value < '9999-12-31' && !Number.isNaN(startOfLocalDay(value));
}

/** Puts a filter into an address and keeps the other parameters. */
export function withFilter(params: URLSearchParams, filter: RunFilter): URLSearchParams {
  return mergeQuery(params, Object.fromEntries(FILTERS.map((name) => [name, filter[name]])));
}

/** Returns whether two filters are the same. */
export function isSame(a: RunFilter, b: RunFilter): boolean {
  return FILTERS.every((name) => (a[name] ?? '') === (b[name] ?? ''));
}

/**
 * Returns the API query of a filter. Days are in the user's time zone; "the last hour" starts at a whole minute, so
 * that a repeated query is the same.
 *
 * @param now in ms
 * @param zone IANA name; this machine's if left out
 */
export function queryOf(filter: RunFilter, now: number, zone?: string): RunsQuery {
  const {
    status,
    outcome,
    riskLevel,
    waitingFor,
    since,
    stuck,
    root,
    from,
    to,
    workflowId,
    startedBy,
    businessKey,
    q,
  } = filter;
  const after =
    from === undefined
      ? since === undefined
        ? undefined
        : Math.floor(now / MINUTE) * MINUTE - SINCE[since as keyof typeof SINCE]
      : startOfLocalDay(from, zone);
  const before = to === undefined ? undefined : startOfLocalDay(dayAfter(to), zone);
  return {
    ...(status !== undefined && { status: status as RunStatus }),
    ...(outcome !== undefined && { outcome: outcome as RunOutcome }),
    ...(riskLevel !== undefined && { riskLevel: riskLevel as RiskLevel }),
    ...(waitingFor !== undefined && { waitingFor: waitingFor as WaitKind }),
    ...(stuck !== undefined && { stuck: true }),
    ...(root !== undefined && { root: true }),
    ...(workflowId !== undefined && { workflowId }),
    ...(startedBy !== undefined && { startedBy }),
    ...(businessKey !== undefined && { businessKey }),
    ...(q !== undefined && { q }),
    ...(after !== undefined && { startedAfter: new Date(after).toISOString() }),
    ...(before !== undefined && { startedBefore: new Date(before).toISOString() }),
  };
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY).toISOString().slice(0, 'yyyy-mm-dd'.length);
}
