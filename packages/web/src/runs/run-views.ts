import type { SavedView } from '@countersign/inbox-ui/ui/saved-views';
import { texts } from '../texts/index.js';
import { toQueryText } from './run-filter.js';

const t = texts.runs.views;

/** The views of the run list that every user has. */
export const RUN_VIEWS: readonly SavedView[] = [
  { name: t.all, query: toQueryText({}) },
  { name: t.attention, query: toQueryText({ needsAttention: 'true' }) },
  { name: t.approvals, query: toQueryText({ waitingFor: 'approval' }) },
  { name: t.questions, query: toQueryText({ waitingFor: 'question' }) },
  { name: t.stuck, query: toQueryText({ stuck: 'true' }) },
];
