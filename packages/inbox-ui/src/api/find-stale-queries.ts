import type { Change } from '@countersign/contract';
import { INBOX_KEY, queryKeys } from './query-keys.js';

const LIST_PAUSE_MS = 1_000;
/** Maximum pause between refreshes of the inbox. It is short, because users wait for their approvals. */
const INBOX_PAUSE_MS = 150;
const RUN_PAUSE_MS = 50;
/** Key of the rows of the inbox that have changed. */
export const CHANGED_ROWS = 'changed-rows';
/** Changes of a run that change no approval, except those that are reported as changes of the approval. */
const UNRELATED_TO_APPROVALS: ReadonlySet<string> = new Set(['run.started', 'run.completed']);
export const ERASURE = 'personal_data.erased';
/** A comment changes nothing about its approval but the number of comments. */
export const COMMENT = 'approval.commented';
/** Changes by which a person contributes to a run, and may no longer vote on its approvals. */
const CONTRIBUTIONS: ReadonlySet<string> = new Set([
  'artifact.created',
  'contributors.added',
  'message.received',
  'question.answered',
]);

/**
 * Returns whether a change may affect the rows of all approvals of its run. A comment does: the rounds of an approval have
 * one discussion.
 */
export function changesRows(type: string): boolean {
  return type === COMMENT || changesVoters(type);
}

/** Returns whether a change may affect who may decide the approvals of its run. */
function changesVoters(type: string): boolean {
  return (type.startsWith('approval.') && type !== COMMENT) || CONTRIBUTIONS.has(type);
}

interface StaleQuery {
  readonly key: readonly unknown[];
  readonly maxPauseMs: number;
}

/**
 * Returns the query keys that a change of a question, or of all questions of a run, invalidates. The
 * displayed question is loaded soonest: lists are long, and agents may ask many questions at a time.
 */
function findStaleQuestions(questionId: unknown): readonly StaleQuery[] {
  return [
    { key: typeof questionId === 'string' ? queryKeys.question(questionId) : ['question'], maxPauseMs: INBOX_PAUSE_MS },
    { key: ['questions'], maxPauseMs: LIST_PAUSE_MS },
    { key: ['question-counts'], maxPauseMs: 5 * LIST_PAUSE_MS },
    { key: ['inbox-found'], maxPauseMs: LIST_PAUSE_MS },
  ];
}

/** Returns the query keys that a change invalidates. */
export function findStaleQueries({ type, runId, parentRunId, data }: Change): readonly StaleQuery[] {
  const approvalId = data['approvalId'];
  if (type === COMMENT)
    return [
      { key: ['comments'], maxPauseMs: INBOX_PAUSE_MS },
      { key: [CHANGED_ROWS], maxPauseMs: INBOX_PAUSE_MS },
      { key: ['run', runId], maxPauseMs: LIST_PAUSE_MS },
    ];
  const changesRun = type === ERASURE || (type.startsWith('run.') && !UNRELATED_TO_APPROVALS.has(type));
  return [
    { key: ['run', runId], maxPauseMs: RUN_PAUSE_MS },
    ...(parentRunId === null ? [] : [{ key: ['run', parentRunId], maxPauseMs: LIST_PAUSE_MS }]),
    { key: ['runs'], maxPauseMs: LIST_PAUSE_MS },
    { key: ['policy-decisions'], maxPauseMs: 2 * LIST_PAUSE_MS },
    ...(type.startsWith('approval.') || changesRun ? [{ key: ['approvals'], maxPauseMs: INBOX_PAUSE_MS }] : []),
    ...(changesVoters(type)
      ? [
          { key: [CHANGED_ROWS], maxPauseMs: INBOX_PAUSE_MS },
          { key: ['inbox-counts'], maxPauseMs: 5 * LIST_PAUSE_MS },
          { key: ['inbox-found'], maxPauseMs: LIST_PAUSE_MS },
        ]
      : []),
    ...(typeof approvalId === 'string' ? [{ key: ['approval', approvalId], maxPauseMs: RUN_PAUSE_MS }] : []),
    ...(type === ERASURE
      ? [
          { key: ['approval'], maxPauseMs: RUN_PAUSE_MS },
          { key: ['comments'], maxPauseMs: RUN_PAUSE_MS },
        ]
      : []),
    ...(changesRun ? [{ key: INBOX_KEY, maxPauseMs: LIST_PAUSE_MS }] : []),
    ...(type.startsWith('question.') || changesRun ? findStaleQuestions(data['questionId']) : []),
    ...(type.startsWith('step.') ? [] : [{ key: ['workflow'], maxPauseMs: 5_000 }]),
  ];
}
