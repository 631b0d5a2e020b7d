import { RISK_LEVELS, type Client, type RiskLevel } from '@countersign/contract';
import { mergeQuery } from '../ui/merge-query.js';

/** The parameters of `GET /api/inbox` that a filter determines. */
export type ApprovalQuery = Pick<
  NonNullable<Parameters<Client['listInbox']>[0]>,
  'q' | 'workflowId' | 'riskLevel' | 'requestedBy' | 'candidateGroup' | 'dueBefore'
>;

/** The parameters of `GET /api/questions` that a filter determines. */
export type QuestionQuery = Pick<NonNullable<Parameters<Client['listQuestions']>[0]>, 'q' | 'workflowId' | 'dueBefore'>;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Due dates to select, and the time from now until which they reach. Later ranges include what is overdue. */
const DUE_RANGES_MS = Object.freeze({ overdue: 0, day: DAY_MS, week: 7 * DAY_MS });
export type DueRange = keyof typeof DUE_RANGES_MS;
export const DUE_RANGES = Object.freeze(Object.keys(DUE_RANGES_MS) as DueRange[]);

/** Names of the filters, as in the address, except for the search text. */
export const APPROVAL_FILTERS = Object.freeze([
  'workflowId',
  'riskLevel',
  'due',
  'requestedBy',
  'candidateGroup',
] as const);
export type ApprovalFilterName = (typeof APPROVAL_FILTERS)[number];

/** Filter of the list of approvals. */
export interface ApprovalFilter {
  /** Search text; empty: no search. */
  readonly q: string;
  readonly workflowId?: string | undefined;
  readonly riskLevel?: RiskLevel | undefined;
  readonly due?: DueRange | undefined;
  readonly requestedBy?: string | undefined;
  readonly candidateGroup?: string | undefined;
}

const MAX_TEXT_LENGTH = 255;
const MAX_SEARCH_LENGTH = 200;

/** Reads a filter from an address. Unknown names and invalid values are left out. */
export function parseApprovalFilter(params: URLSearchParams): ApprovalFilter {
  const readText = (name: string): string | undefined => {
    const text = params.get(name)?.trim() ?? '';
    return text === '' || text.length > MAX_TEXT_LENGTH ? undefined : text;
  };
  const workflowId = readText('workflowId');
  const requestedBy = readText('requestedBy');
  const candidateGroup = readText('candidateGroup');
  const riskLevel = RISK_LEVELS.find((level) => level === params.get('riskLevel'));
  const due = DUE_RANGES.find((range) => range === params.get('due'));
  return {
    q: (params.get('q') ?? '').slice(0, MAX_SEARCH_LENGTH),
    ...(workflowId === undefined ? {} : { workflowId }),
    ...(riskLevel === undefined ? {} : { riskLevel }),
    ...(due === undefined ? {} : { due }),
    ...(requestedBy === undefined ? {} : { requestedBy }),
    ...(candidateGroup === undefined ? {} : { candidateGroup }),
  };
}

/** Returns the parameters of an address with a filter; other parameters are kept. */
export function setApprovalFilter(params: URLSearchParams, filter: ApprovalFilter): URLSearchParams {
  return mergeQuery(params, {
    q: filter.q,
    ...Object.fromEntries(APPROVAL_FILTERS.map((name) => [name, filter[name]])),
  });
}

/** Returns a filter as the query of an address; the same text for the same filter. */
export function toFilterText(filter: ApprovalFilter): string {
  return setApprovalFilter(new URLSearchParams(), filter).toString();
}

/** Returns the canonical form of a query, without unknown names and invalid values. */
export function normalizeFilterText(query: string): string {
  return toFilterText(parseApprovalFilter(new URLSearchParams(query)));
}

/** Returns whether a filter selects all approvals. */
export function isEmptyFilter(filter: ApprovalFilter): boolean {
  return toFilterText(filter) === '';
}

/**
 * Converts a filter to an API query. Due ranges end at a whole minute, so that queries within the same minute are equal.
 *
 * @param now in ms
 */
export function toApprovalQuery(filter: ApprovalFilter, now: number): ApprovalQuery {
  const { q, due, workflowId, riskLevel, requestedBy, candidateGroup } = filter;
  return {
    ...(q === '' ? {} : { q }),
    ...(workflowId === undefined ? {} : { workflowId }),
    ...(riskLevel === undefined ? {} : { riskLevel }),
    ...(requestedBy === undefined ? {} : { requestedBy }),
    ...(candidateGroup === undefined ? {} : { candidateGroup }),
    ...(due === undefined
      ? {}
      : { dueBefore: new Date(Math.floor(now / MINUTE_MS) * MINUTE_MS + DUE_RANGES_MS[due]).toISOString() }),
  };
}

/**
 * Returns the part of a query that selects questions; `undefined` if it selects none. Questions have no risk and no
 * candidate groups, and no person requests them.
 */
export function toQuestionQuery({ q, workflowId, dueBefore, ...others }: ApprovalQuery): QuestionQuery | undefined {
  if (Object.values(others).some((value) => value !== undefined)) return undefined;
  return {
    ...(q === undefined ? {} : { q }),
    ...(workflowId === undefined ? {} : { workflowId }),
    ...(dueBefore === undefined ? {} : { dueBefore }),
  };
}

/** Returns a filter with one value changed; `null` removes it. */
export function changeFilter(filter: ApprovalFilter, name: ApprovalFilterName, value: string | null): ApprovalFilter {
  return { ...filter, [name]: value ?? undefined };
}
