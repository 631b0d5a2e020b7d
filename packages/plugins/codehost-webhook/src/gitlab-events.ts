import type { JsonObject } from '@countersign/core/plugin';
import { valueAt, objectAt } from './read-value.js';

/** GitHub's name for an event of GitLab. */
export interface GithubEventName {
  readonly event: string;
  readonly action: string | null;
}

const ISSUE_ACTIONS: Readonly<Record<string, string>> = {
  open: 'opened',
  close: 'closed',
  reopen: 'reopened',
  update: 'edited',
};
const MERGE_ACTIONS: Readonly<Record<string, string>> = { ...ISSUE_ACTIONS, merge: 'closed' };
const APPROVAL_ACTIONS: Readonly<Record<string, string>> = {
  approved: 'submitted',
  approval: 'submitted',
  unapproved: 'dismissed',
  unapproval: 'dismissed',
};
const EDIT_ACTIONS: Readonly<Record<string, string>> = { create: 'created', update: 'edited', delete: 'deleted' };
const COMMENT_EVENTS: Readonly<Record<string, string>> = {
  Issue: 'issue_comment',
  // Not `issue_comment` as on GitHub: GitLab numbers issues and merge requests separately, so a comment on merge
  // request 7 would resume a run that waits for one on issue 7.
  MergeRequest: 'pull_request_review_comment',
  Commit: 'commit_comment',
};
const PIPELINE_CONCLUSIONS: Readonly<Record<string, string>> = {
  success: 'success',
  failed: 'failure',
  canceled: 'cancelled',
  skipped: 'skipped',
};

/** Returns GitHub's name for an event of GitLab; `null` if GitHub has no such event. */
export function toGithubEventName(body: JsonObject): GithubEventName | null {
  const action = stringAt(body, 'object_attributes', 'action');
  switch (valueAt(body, 'object_kind')) {
    case 'push':
    case 'tag_push':
      return { event: 'push', action: null };
    case 'issue':
      return { event: 'issues', action: lookUp(ISSUE_ACTIONS, action) };
    case 'note':
      return toCommentEventName(body, action);
    case 'merge_request':
      return toMergeRequestEventName(body, action);
    case 'pipeline':
      return {
        event: 'workflow_run',
        action: toProgressAction(stringAt(body, 'object_attributes', 'status'), 'requested'),
      };
    case 'build':
      return { event: 'workflow_job', action: toProgressAction(stringAt(body, 'build_status'), 'queued') };
    case 'release':
      return { event: 'release', action: lookUp(EDIT_ACTIONS, stringAt(body, 'action')) };
    default:
      return null;
  }
}

/** Returns GitHub's name for the result of a pipeline or job; `null` until it ends. */
export function toConclusion(status: string): string | null {
  return lookUp(PIPELINE_CONCLUSIONS, status);
}

function toCommentEventName(body: JsonObject, action: string): GithubEventName | null {
  const event = lookUp(COMMENT_EVENTS, stringAt(body, 'object_attributes', 'noteable_type'));
  // Before GitLab 16.11 there was no action: GitLab only reported new comments.
  return event === null ? null : { event, action: action === '' ? 'created' : lookUp(EDIT_ACTIONS, action) };
}

function toMergeRequestEventName(body: JsonObject, action: string): GithubEventName {
  const approval = lookUp(APPROVAL_ACTIONS, action);
  if (approval !== null) return { event: 'pull_request_review', action: approval };
  const hasNewCommits = action === 'update' && typeof objectAt(body, 'object_attributes')?.['oldrev'] === 'string';
  return { event: 'pull_request', action: hasNewCommits ? 'synchronize' : lookUp(MERGE_ACTIONS, action) };
}

function toProgressAction(status: string, initialAction: string): string {
  if (toConclusion(status) !== null) return 'completed';
  return status === 'running' ? 'in_progress' : initialAction;
}

function lookUp(table: Readonly<Record<string, string>>, key: string): string | null {
  return Object.hasOwn(table, key) ? (table[key] ?? null) : null;
}

function stringAt(body: JsonObject, ...path: readonly string[]): string {
  const value = valueAt(body, ...path);
  return typeof value === 'string' ? value : '';
}
