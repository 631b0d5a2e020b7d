import type { Json, JsonObject } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';
import { at, flag, integer, items, MAX_TEXT, objectAt, text } from './pick.js';

/** Returns the details for runs from a body in GitHub's form, which Gitea and Forgejo mostly use too. */
export function githubDetails(body: JsonObject): JsonObject {
  const details: JsonObject = {
    repository: repositoryOf(objectAt(body, 'repository')),
    sender: login(at(body, 'sender')),
  };
  const put = (name: string, from: string, read: (source: JsonObject) => JsonObject): void => {
    const source = objectAt(body, from);
    if (source !== undefined) details[name] = read(source);
  };
  put('issue', 'issue', issueOf);
  put('pullRequest', 'pull_request', pullRequestOf);
  put('comment', 'comment', commentOf);
  put('review', 'review', reviewOf);
  put('release', 'release', releaseOf);
  put('check', 'check_suite', checkOf);
  put('check', 'check_run', checkOf);
  put('check', 'workflow_run', checkOf);
  put('check', 'workflow_job', checkOf);
  if (typeof at(body, 'ref') === 'string' && typeof at(body, 'after') === 'string') details['push'] = pushOf(body);
  return details;
}

/** Returns the number of the issue or pull request that a body concerns; for a check, of its only pull request. */
export function githubNumber(body: JsonObject): number | null {
  for (const name of ['issue', 'pull_request', 'discussion']) {
    const number = integer(at(body, name, 'number'));
    if (number !== null) return number;
  }
  for (const name of ['check_run', 'check_suite', 'workflow_run']) {
    const pullRequests = at(body, name, 'pull_requests');
    if (Array.isArray(pullRequests) && pullRequests.length === 1) return integer(at(pullRequests[0], 'number'));
  }
  return null;
}

function repositoryOf(repository: JsonObject | undefined): JsonObject {
  return {
    fullName: text(at(repository, 'full_name')),
    owner: login(at(repository, 'owner')),
    name: text(at(repository, 'name')),
    url: text(at(repository, 'html_url')),
    defaultBranch: text(at(repository, 'default_branch')),
    private: flag(at(repository, 'private')),
  };
}

function issueOf(issue: JsonObject): JsonObject {
  // At GitHub every pull request is also an issue, and its comments arrive as issue comments.
  return { ...postOf(issue), isPullRequest: isJsonObject(at(issue, 'pull_request')) };
}

function pullRequestOf(pull: JsonObject): JsonObject {
  return {
    ...postOf(pull),
    draft: flag(at(pull, 'draft')),
    merged: flag(at(pull, 'merged')),
    mergeCommitSha: text(at(pull, 'merge_commit_sha')),
    head: branchOf(objectAt(pull, 'head')),
    base: branchOf(objectAt(pull, 'base')),
  };
}

function postOf(post: JsonObject): JsonObject {
  return {
    number: integer(at(post, 'number')),
    title: text(at(post, 'title')),
    body: text(at(post, 'body'), MAX_TEXT),
    state: text(at(post, 'state')),
    author: login(at(post, 'user')),
    assignees: items(at(post, 'assignees'), login),
    labels: items(at(post, 'labels'), (label) => text(at(label, 'name'))),
    url: text(at(post, 'html_url')),
  };
}

function branchOf(branch: JsonObject | undefined): JsonObject {
  return {
    ref: text(at(branch, 'ref')),
    sha: text(at(branch, 'sha')),
    repository: text(at(branch, 'repo', 'full_name')),
  };
}

function commentOf(comment: JsonObject): JsonObject {
  return {
    id: integer(at(comment, 'id')),
    body: text(at(comment, 'body'), MAX_TEXT),
    author: login(at(comment, 'user')),
    url: text(at(comment, 'html_url')),
  };
}

function reviewOf(review: JsonObject): JsonObject {
  return {
    state: text(at(review, 'state')),
    body: text(at(review, 'body') ?? at(review, 'content'), MAX_TEXT),
    author: login(at(review, 'user')),
    url: text(at(review, 'html_url')),
  };
}

function releaseOf(release: JsonObject): JsonObject {
  return {
    tag: text(at(release, 'tag_name')),
    name: text(at(release, 'name')),
    draft: flag(at(release, 'draft')),
    prerelease: flag(at(release, 'prerelease')),
    author: login(at(release, 'author')),
    url: text(at(release, 'html_url')),
  };
}

function checkOf(check: JsonObject): JsonObject {
  return {
    id: integer(at(check, 'id')),
    name: text(at(check, 'name') ?? at(check, 'app', 'name')),
    status: text(at(check, 'status')),
    conclusion: text(at(check, 'conclusion')),
    branch: text(at(check, 'head_branch') ?? at(check, 'check_suite', 'head_branch')),
    sha: text(at(check, 'head_sha')),
    url: text(at(check, 'html_url')),
  };
}

function pushOf(body: JsonObject): JsonObject {
  return {
    ref: text(at(body, 'ref')),
    before: text(at(body, 'before')),
    after: text(at(body, 'after')),
    created: flag(at(body, 'created')),
    deleted: flag(at(body, 'deleted')),
    forced: flag(at(body, 'forced')),
    pusher: text(at(body, 'pusher', 'name') ?? at(body, 'pusher', 'login')),
    compareUrl: text(at(body, 'compare') ?? at(body, 'compare_url')),
    commits: items(at(body, 'commits'), (commit) => ({
      id: text(at(commit, 'id')),
      message: text(at(commit, 'message')),
      author: text(at(commit, 'author', 'username') ?? at(commit, 'author', 'name')),
      url: text(at(commit, 'url')),
    })),
  };
}

function login(person: Json | undefined): string | null {
  return text(at(person, 'login') ?? at(person, 'name'));
}
