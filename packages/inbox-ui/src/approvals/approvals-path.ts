import type { Approval, Question } from '@countersign/contract';
import { generatePath, matchPath } from 'react-router';
import { getRequestedLocation } from '../ui/page-location.js';

/** Identifies what the approvals page displays. */
export type ItemRef = Pick<Approval, 'approvalId'> | Pick<Question, 'questionId'>;

const APPROVAL_PATH = '/approvals/:approvalId';
const QUESTION_PATH = '/approvals/questions/:questionId';

/** Returns whether a path belongs to the approvals page, with or without an open approval or question. */
export const isApprovalsPage = (pathname: string): boolean =>
  matchPath(`${APPROVAL_PATH}?`, pathname) !== null || matchPath(QUESTION_PATH, pathname) !== null;

/** Returns the id of the approval or question that was requested last, even if it is not displayed yet. */
export function getRequestedItemId(): string | undefined {
  const { pathname } = getRequestedLocation();
  return matchPath(APPROVAL_PATH, pathname)?.params.approvalId ?? matchPath(QUESTION_PATH, pathname)?.params.questionId;
}

/** Returns the path of the page with an approval or a question. */
export function getItemPath(item: ItemRef): string {
  return 'questionId' in item
    ? generatePath(QUESTION_PATH, { questionId: item.questionId })
    : generatePath(APPROVAL_PATH, { approvalId: item.approvalId });
}
