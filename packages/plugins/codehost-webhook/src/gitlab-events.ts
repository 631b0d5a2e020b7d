import type { JsonObject } from '@countersign/core/plugin';
import { at, objectAt } from './pick.js';

/** GitHub's name for an event of GitLab. */
export interface GithubName {
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
const APPROVALS: Readonly<Record<string, string>> = {
  approved: 'submitted',
  approval: 'submitted',
  unapproved: 'dismissed',
  unapproval: 'dismissed',
};
const EDITS: Readonly<Record<string, string>> = { create: 'created', update: 'edited', delete: 'deleted' };
const COMMENTS: Readonly<Record<string, string>> = {
  Issue: 'issue_comment',
  // Not `issue_comment` as at GitHub: GitLab numbers issues and merge requests separately, so a comment on merge
  // request 7 would resume a run that waits for one on issue 7.
  MergeRequest: 'pull_request_review_comment',
  Commit: 'commit_comment',
};
const PIPELINE_ENDS: Readonly<Record<string, string>> = {
  success: 'success',
  failed: 'failure',
  canceled: 'cancelled',
  skipped: 'skipped',
};

/** Returns `null` if GitHub has no such event. */
export function githubName(body: JsonObject): GithubName | null {
  const action = textAt(body, 'object_attributes', 'action');
  switch (at(body, 'object_kind')) {
    case 'push':
    case 'tag_push':
      return { event: 'push', action: null };
    case 'issue':
      return { event: 'issues', action: own(ISSUE_ACTIONS, action) };
    case 'note':
      return commentName(body, action);
    case 'merge_request':
      return mergeRequestName(body, action);
    case 'pipeline':
      return { event: 'workflow_run', action: progress(textAt(body, 'object_attributes', 'status'), 'requested') };
    case 'build':
      return { event: 'workflow_job', action: progress(textAt(body, 'build_status'), 'queued') };
    case 'release':
      return { event: 'release', action: own(EDITS, textAt(body, 'action')) };
    default:
      return null;
  }
}

/** Returns GitHub's name for the result of a pipeline or job; `null` until it ends. */
export function conclusionOf(status: string): string | null {
  return own(PIPELINE_ENDS, status);
}

function commentName(body: JsonObject, action: string): GithubName | null {
  const event = own(COMMENTS, textAt(body, 'object_attributes', 'noteable_type'));
  // Before GitLab 16.11 there was no action: GitLab only reported new comments.
  return event === null ? null : { event, action: action === '' ? 'created' : own(EDITS, action) };
}

function mergeRequestName(body: JsonObject, action: string): GithubName {
  const approval = own(APPROVALS, action);
  if (approval !== null) return { event: 'pull_request_review', action: approval };
  const moved = action === 'update' && typeof objectAt(body, 'object_attributes')?.['oldrev'] === 'string';
  return { event: 'pull_request', action: moved ? 'synchronize' : own(MERGE_ACTIONS, action) };
}

function progress(status: string, before: string): string {
  if (conclusionOf(status) !== null) return 'completed';
  return status === 'running' ? 'in_progress' : before;
}

function own(table: Readonly<Record<string, string>>, key: string): string | null {
  return Object.hasOwn(table, key) ? (table[key] ?? null) : null;
}

function textAt(body: JsonObject, ...path: readonly string[]): string {
  const found = at(body, ...path);
  return typeof found === 'string' ? found : '';
}
