import type { InboxItem, Question } from '@countersign/contract';
import { interleaveLists, type LoadedList } from '../inbox/interleave-lists.js';
import type { Pages } from '../ui/use-pages.js';

/**
 * Returns the approvals and questions of the user that are loaded so far, in one order. Until the approvals have been
 * loaded, no questions are listed: approvals would appear above them. `hasMore` is also true while a list is missing.
 */
export function combineLists(approvals: Pages<InboxItem>, questions: Pages<Question>): LoadedList {
  const isMissing = [approvals, questions].some(({ query }) => query.isPending || query.isLoadingError);
  return {
    items: approvals.query.isPending ? [] : interleaveLists(approvals, questions),
    hasMore: approvals.hasMore || questions.hasMore || isMissing,
  };
}
