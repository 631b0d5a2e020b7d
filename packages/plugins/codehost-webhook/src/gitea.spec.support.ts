import type { JsonObject } from '@countersign/core/plugin';

/** Webhook bodies of Gitea and Forgejo, reduced to the tested properties (see their `modules/structs/hook.go`). */
const person = { id: 1, login: 'ada', full_name: 'Ada', email: 'ada@example.org', username: 'ada' };
const repository = {
  id: 5,
  owner: person,
  name: 'engine',
  full_name: 'ada/engine',
  private: true,
  html_url: 'http://git.example.org/ada/engine',
  default_branch: 'main',
};
const issue = {
  id: 12,
  number: 3,
  user: person,
  title: 'It squeaks',
  body: 'Listen.',
  labels: [{ id: 1, name: 'noise', color: 'ff0000' }],
  assignees: null,
  state: 'open',
  is_locked: false,
  html_url: 'http://git.example.org/ada/engine/issues/3',
  pull_request: null,
};
const branch = (ref: string, sha: string) => ({ label: ref, ref, sha, repo_id: 5, repo: repository });
const pullRequest = {
  ...issue,
  number: 4,
  title: 'Oil it',
  html_url: 'http://git.example.org/ada/engine/pulls/4',
  draft: false,
  merged: false,
  merge_commit_sha: null,
  head: branch('oil', 'a'.repeat(40)),
  base: branch('main', 'b'.repeat(40)),
};

export const giteaIssue = (action: string): JsonObject => ({
  action,
  number: 3,
  issue,
  repository,
  sender: person,
  commit_id: '',
});

export const giteaComment: JsonObject = {
  action: 'created',
  issue,
  comment: {
    id: 77,
    html_url: 'http://git.example.org/ada/engine/issues/3#issuecomment-77',
    user: person,
    body: 'I hear it.',
  },
  repository,
  sender: person,
  is_pull: false,
};

/** Returns a pull request body. The keys for reviews are always present. */
export const giteaPullRequest = (action: string, review: JsonObject | null = null): JsonObject => ({
  action,
  number: 4,
  pull_request: pullRequest,
  requested_reviewer: null,
  repository,
  sender: { ...person, id: 2, login: 'grace', username: 'grace' },
  commit_id: '',
  review,
});

export const giteaPush: JsonObject = {
  ref: 'refs/heads/main',
  before: 'b'.repeat(40),
  after: 'c'.repeat(40),
  compare_url: 'http://git.example.org/ada/engine/compare/b...c',
  commits: [
    {
      id: 'c'.repeat(40),
      message: 'Oil it\n',
      url: 'http://git.example.org/ada/engine/commit/c',
      author: { name: 'Ada', email: 'ada@example.org', username: 'ada' },
    },
  ],
  total_commits: 1,
  head_commit: null,
  repository,
  pusher: person,
  sender: person,
};
