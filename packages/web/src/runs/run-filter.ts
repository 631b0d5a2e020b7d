import {
  startOfLocalDay,
  type Client,
  type RiskLevel,
  type RunOutcome,
  type RunStatus,
  type WaitKind,
} from '@countersign/contract';
import { mergeQuery } from '@countersign/inbox-ui/ui/merge-query';

/** Query of `GET /api/runs`, without the paging parameters. */
export type RunsQuery = Omit<NonNullable<Parameters<Client['listRuns']>[0]>, 'limit' | 'cursor'>;

const STATUSES: readonly RunStatus[] = ['active', 'blocked', 'completed', 'failed'];
const OUTCOMES: readonly RunOutcome[] = ['completed', 'failed', 'cancelled', 'rejected'];
const RISKS: readonly RiskLevel[] = ['low', 'medium', 'high', 'critical'];
const WAITS: readonly WaitKind[] = ['approval', 'question', 'event', 'timer'];

/** Allowed values of each filter that has a fixed set of values. */
export const FILTER_OPTIONS = {
  status: STATUSES,
  outcome: OUTCOMES,
  riskLevel: RISKS,
  waitingFor: WAITS,
  since: ['hour', 'day', 'week', 'month'],
  needsAttention: ['true'],
  stuck: ['true'],
  root: ['true'],
} as const;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const SINCE_MS: Readonly<Record<(typeof FILTER_OPTIONS.since)[number], number>> = {
  hour: 60 * MINUTE_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 30 * DAY_MS,
};

const TEXT_FILTERS = ['workflowId', 'startedBy', 'businessKey', 'q', 'from', 'to'] as const;
const MAX_LENGTHS = { workflowId: 255, startedBy: 255, businessKey: 255, q: 200, from: 10, to: 10 } as const;

/** Names of all filters, as in the URL. */
export const FILTER_NAMES = [
  ...(Object.keys(FILTER_OPTIONS) as (keyof typeof FILTER_OPTIONS)[]),
  ...TEXT_FILTERS,
] as const;
export type FilterName = (typeof FILTER_NAMES)[number];

/** Filters in a URL; unknown names and invalid values are omitted. */
export type RunFilter = Readonly<Partial<Record<FilterName, string>>>;

export function parseRunFilter(params: URLSearchParams): RunFilter {
  const filter: Partial<Record<FilterName, string>> = {};
  for (const name of FILTER_NAMES) {
    const value = params.get(name)?.trim();
    if (value === undefined || value === '') continue;
    if (
      hasFixedOptions(name)
        ? (FILTER_OPTIONS[name] as readonly string[]).includes(value)
        : value.length <= MAX_LENGTHS[name] && ((name !== 'from' && name !== 'to') || isDay(value))
    )
      filter[name] = value;
  }
  return filter;
}

function hasFixedOptions(name: FilterName): name is keyof typeof FILTER_OPTIONS {
  return name in FILTER_OPTIONS;
}

function isDay(value: string): boolean {
  // Refuses the last representable day, because the range would end at the start of the following day.
  return value < '9999-12-31' && !Number.isNaN(startOfLocalDay(value));
}

/** Returns the parameters of a URL with the filter; other parameters are kept. */
export function setFilterParameters(params: URLSearchParams, filter: RunFilter): URLSearchParams {
  return mergeQuery(params, Object.fromEntries(FILTER_NAMES.map((name) => [name, filter[name]])));
}

/** Returns a filter as the query of an address; the same text for the same filter. */
export function toQueryText(filter: RunFilter): string {
  return setFilterParameters(new URLSearchParams(), filter).toString();
}

/** Returns the canonical form of a query, without unknown names and invalid values. */
export function normalizeQuery(query: string): string {
  return toQueryText(parseRunFilter(new URLSearchParams(query)));
}

/**
 * Converts a filter to an API query. Days are in the user's time zone. A range such as "the last hour" starts at a
 * whole minute, so that queries within the same minute are equal.
 *
 * @param now in ms
 * @param timeZone IANA name; if omitted, the time zone of this machine
 */
export function toRunsQuery(filter: RunFilter, now: number, timeZone?: string): RunsQuery {
  const {
    status,
    outcome,
    riskLevel,
    waitingFor,
    since,
    needsAttention,
    stuck,
    root,
    from,
    to,
    workflowId,
    startedBy,
    businessKey,
    q,
  } = filter;
  const startedAfterMs =
    from === undefined
      ? since === undefined
        ? undefined
        : Math.floor(now / MINUTE_MS) * MINUTE_MS - SINCE_MS[since as keyof typeof SINCE_MS]
      : startOfLocalDay(from, timeZone);
  const startedBeforeMs = to === undefined ? undefined : startOfLocalDay(dayAfter(to), timeZone);
  return {
    ...(status !== undefined && { status: status as RunStatus }),
    ...(outcome !== undefined && { outcome: outcome as RunOutcome }),
    ...(riskLevel !== undefined && { riskLevel: riskLevel as RiskLevel }),
    ...(waitingFor !== undefined && { waitingFor: waitingFor as WaitKind }),
    ...(needsAttention !== undefined && { needsAttention: true }),
    ...(stuck !== undefined && { stuck: true }),
    ...(root !== undefined && { root: true }),
    ...(workflowId !== undefined && { workflowId }),
    ...(startedBy !== undefined && { startedBy }),
    ...(businessKey !== undefined && { businessKey }),
    ...(q !== undefined && { q }),
    ...(startedAfterMs !== undefined && { startedAfter: new Date(startedAfterMs).toISOString() }),
    ...(startedBeforeMs !== undefined && { startedBefore: new Date(startedBeforeMs).toISOString() }),
  };
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 'yyyy-mm-dd'.length);
}
