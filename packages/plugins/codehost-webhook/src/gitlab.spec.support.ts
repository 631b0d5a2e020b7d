import type { JsonObject } from '@countersign/core/plugin';

/** Webhook bodies as documented by GitLab, reduced to the tested properties. */
const user = { id: 1, name: 'Ada', username: 'ada', email: '[REDACTED]' };
const project = {
  id: 1,
  name: 'Engine',
  web_url: 'https://gitlab.example.org/works/steam/engine',
  namespace: 'Steam',
  visibility_level: 0,
  path_with_namespace: 'works/steam/engine',
  default_branch: 'main',
};
const labels = [{ id: 206, title: 'noise', color: '#ff0000', type: 'ProjectLabel' }];
const assignees = [{ id: 2, name: 'Grace', username: 'grace' }];
const issue = {
  id: 301,
  iid: 23,
  title: 'It squeaks',
  description: 'Listen.',
  state: 'opened',
  url: 'https://gitlab.example.org/works/steam/engine/-/issues/23',
  labels,
};
const mergeRequest = {
  id: 99,
  iid: 23,
  title: 'Oil it',
  description: '',
  state: 'opened',
  draft: false,
  source_branch: 'oil',
  target_branch: 'main',
  source: project,
  target: project,
  last_commit: { id: 'a'.repeat(40), message: 'Oil it' },
  url: 'https://gitlab.example.org/works/steam/engine/-/merge_requests/23',
};

export const gitlabIssue = (action: string): JsonObject => ({
  object_kind: 'issue',
  event_type: 'issue',
  user,
  project,
  object_attributes: { ...issue, action },
  assignees,
  labels,
});

export const gitlabMergeRequest = (action: string, attributes: JsonObject = {}): JsonObject => ({
  object_kind: 'merge_request',
  event_type: 'merge_request',
  user,
  project,
  object_attributes: { ...mergeRequest, action, ...attributes },
  labels,
  assignees,
});

export const gitlabNote = (
  noteableType: 'Issue' | 'MergeRequest' | 'Commit' | 'Snippet',
  action?: string,
): JsonObject => ({
  object_kind: 'note',
  event_type: 'note',
  user,
  project_id: 1,
  project,
  object_attributes: {
    id: 1241,
    note: 'I hear it.',
    noteable_type: noteableType,
    url: 'https://gitlab.example.org/works/steam/engine#note_1241',
    ...(action === undefined ? {} : { action }),
  },
  ...(noteableType === 'Issue' ? { issue } : {}),
  ...(noteableType === 'MergeRequest' ? { merge_request: mergeRequest } : {}),
});

export const gitlabPush = (kind: 'push' | 'tag_push', after = 'c'.repeat(40)): JsonObject => ({
  object_kind: kind,
  event_name: kind,
  before: '0'.repeat(40),
  after,
  ref: kind === 'push' ? 'refs/heads/main' : 'refs/tags/v1',
  checkout_sha: after,
  user_id: 1,
  user_name: 'Ada',
  user_username: 'ada',
  project_id: 1,
  project,
  commits:
    kind === 'push'
      ? [
          {
            id: after,
            message: 'Oil it',
            url: 'https://gitlab.example.org/c',
            author: { name: 'Ada', email: 'ada@example.org' },
          },
        ]
      : [],
  total_commits_count: 1,
});

export const gitlabPipeline = (status: string, overrides: JsonObject = {}): JsonObject => ({
  object_kind: 'pipeline',
  object_attributes: {
    id: 31,
    iid: 3,
    name: 'tests',
    ref: 'main',
    tag: false,
    sha: 'c'.repeat(40),
    source: 'push',
    status,
    url: 'https://gitlab.example.org/works/steam/engine/-/pipelines/31',
  },
  merge_request: null,
  user,
  project,
  ...overrides,
});

export const gitlabJob = (status: string): JsonObject => ({
  object_kind: 'build',
  ref: 'main',
  sha: 'c'.repeat(40),
  build_id: 1977,
  build_name: 'unit',
  build_status: status,
  pipeline_id: 31,
  project_name: 'works / steam / engine',
  user,
  project,
});
