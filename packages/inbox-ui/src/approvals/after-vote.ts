/** What the inbox shows after the user's own vote: the next approval, or still the decided one. */
export const AFTER_VOTE = Object.freeze(['next', 'stay'] as const);
export type AfterVote = (typeof AFTER_VOTE)[number];

const STORAGE_KEY = 'countersign:after-vote';

/** Returns the user's choice in this browser. */
export function loadAfterVote(): AfterVote {
  const stored = localStorage.getItem(STORAGE_KEY);
  return AFTER_VOTE.find((each) => each === stored) ?? 'next';
}

export function storeAfterVote(choice: AfterVote): void {
  localStorage.setItem(STORAGE_KEY, choice);
}
