import type { ListApprovalsQuery } from '@countersign/contract';
import type { ApprovalListRequest } from '@countersign/core';
import { parseInstant } from './parse-instant.js';
import { omitUndefined } from './runs.js';

export const EMPTY_PAGE = Object.freeze({ items: Object.freeze([]), nextCursor: null });

type FilterQuery = Omit<ListApprovalsQuery, 'limit' | 'cursor' | 'sort'> & Partial<Pick<ListApprovalsQuery, 'sort'>>;

/** Converts the query of a list of approvals. @returns `null` if no approval matches all filters */
export function toApprovalListRequest(query: ListApprovalsQuery): ApprovalListRequest | null {
  const filter = toApprovalFilter(query);
  return filter === null ? null : { ...filter, limit: query.limit, ...omitUndefined({ cursor: query.cursor }) };
}

/** Converts the filters of a list of approvals. @returns `null` if no approval matches all of them */
export function toApprovalFilter(query: FilterQuery): Pick<ApprovalListRequest, 'filter' | 'inbox'> | null {
  const { status, inbox, mine, workflowId, riskLevel, dueBefore, requestedBy, candidateGroup, approvalIds, q, sort } =
    query;
  if (mine === true && inbox !== undefined && inbox !== 'mine') return null;
  return {
    filter: {
      ...omitUndefined({ calledFrom: query.runId, workflowId, riskLevel, requestedBy, candidateGroup, q, sort }),
      ...(status === 'all' ? {} : { status }),
      ...(dueBefore === undefined ? {} : { dueBefore: parseInstant(dueBefore) }),
      ...(approvalIds === undefined ? {} : { approvalIds: approvalIds.split(',') }),
    },
    ...omitUndefined({ inbox: mine === true ? ('mine' as const) : inbox }),
  };
}
