import type { Approval, InboxItem, Question } from '@countersign/contract';

/** What a row of the inbox stands for: an approval, or a question of an agent. */
export type ListedItem = InboxItem | Question;

/** An item that is displayed as a whole. */
export type DisplayedItem = Approval | Question;

export function isQuestion(item: ListedItem | DisplayedItem): item is Question {
  return 'questionId' in item;
}

/** Returns the id of an item. The ids of approvals and of questions are distinct UUIDs. */
export function getItemId(item: ListedItem | DisplayedItem): string {
  return isQuestion(item) ? item.questionId : item.approvalId;
}
