import { loadChoice, storeChoice } from '../ui/stored-choice.js';

/** What the inbox shows after the user's own vote: the next approval, or still the decided one. */
export const AFTER_VOTE = Object.freeze(['next', 'stay'] as const);
export type AfterVote = (typeof AFTER_VOTE)[number];

const STORAGE_KEY = 'countersign:after-vote';

/** Returns the user's choice in this browser. */
export const loadAfterVote = (): AfterVote => loadChoice(STORAGE_KEY, AFTER_VOTE);

export const storeAfterVote = (choice: AfterVote): void => storeChoice(STORAGE_KEY, choice);
