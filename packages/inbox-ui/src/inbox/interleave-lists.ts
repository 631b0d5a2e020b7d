import { compareByUrgency } from './inbox-sections.js';
import type { ListedItem } from './listed-item.js';

/** The pages of a list that are loaded so far, in order of urgency. */
export interface LoadedList<T extends ListedItem = ListedItem> {
  readonly items: readonly T[];
  /** Whether there are further pages. */
  readonly hasMore: boolean;
}

/**
 * Returns approvals and questions in one order. All loaded approvals are listed. Questions after the end of approvals
 * that have more pages wait until these are loaded, because they may belong between further approvals.
 */
export function interleaveLists(approvals: LoadedList, questions: LoadedList): ListedItem[] {
  const end = approvals.hasMore ? findLast(approvals.items) : undefined;
  return [
    ...approvals.items,
    ...questions.items.filter((question) => end === undefined || compareByUrgency(question, end) <= 0),
  ].sort(compareByUrgency);
}

/** Returns the list whose next page is needed to list all loaded items, and no later item before them. */
export function findListToContinue(
  approvals: LoadedList,
  questions: LoadedList,
): 'approvals' | 'questions' | undefined {
  const approvalEnd = findLast(approvals.items);
  const questionEnd = findLast(questions.items);
  if (
    approvals.hasMore &&
    approvalEnd !== undefined &&
    questionEnd !== undefined &&
    compareByUrgency(questionEnd, approvalEnd) > 0
  )
    return 'approvals';
  return questions.hasMore ? 'questions' : undefined;
}

function findLast(items: readonly ListedItem[]): ListedItem | undefined {
  return items.reduce<ListedItem | undefined>(
    (last, item) => (last === undefined || compareByUrgency(item, last) > 0 ? item : last),
    undefined,
  );
}
