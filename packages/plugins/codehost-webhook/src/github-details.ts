import type { Json, JsonObject } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';
import { valueAt, readBoolean, readInteger, convertItems, MAX_TEXT_LENGTH, objectAt, readText } from './read-value.js';

/** Converts a body in GitHub's format, which Gitea and Forgejo mostly use too, to the details for runs. */
export function toGithubDetails(body: JsonObject): JsonObject {
  const details: JsonObject = {
    repository: toRepository(objectAt(body, 'repository')),
    sender: readLogin(valueAt(body, 'sender')),
  };
  const addDetails = (name: string, key: string, convert: (source: JsonObject) => JsonObject): void => {
    const source = objectAt(body, key);
    if (source !== undefined) details[name] = convert(source);
  };
  addDetails('issue', 'issue', toIssue);
  addDetails('pullRequest', 'pull_request', toPullRequest);
  addDetails('comment', 'comment', toComment);
  addDetails('review', 'review', toReview);
  addDetails('release', 'release', toRelease);
  addDetails('check', 'check_suite', toCheck);
  addDetails('check', 'check_run', toCheck);
  addDetails('check', 'workflow_run', toCheck);
  addDetails('check', 'workflow_job', toCheck);
  if (typeof valueAt(body, 'ref') === 'string' && typeof valueAt(body, 'after') === 'string')
    details['push'] = toPush(body);
  return details;
}

/**
 * Returns the number of the issue, pull request or discussion that a body concerns; for a check with exactly one pull
 * request, the number of that pull request.
 */
export function findGithubNumber(body: JsonObject): number | null {
  for (const name of ['issue', 'pull_request', 'discussion']) {
    const number = readInteger(valueAt(body, name, 'number'));
    if (number !== null) return number;
  }
  for (const name of ['check_run', 'check_suite', 'workflow_run']) {
    const pullRequests = valueAt(body, name, 'pull_requests');
    if (Array.isArray(pullRequests) && pullRequests.length === 1)
      return readInteger(valueAt(pullRequests[0], 'number'));
  }
  return null;
}

function toRepository(repository: JsonObject | undefined): JsonObject {
  return {
    fullName: readText(valueAt(repository, 'full_name')),
    owner: readLogin(valueAt(repository, 'owner')),
    name: readText(valueAt(repository, 'name')),
    url: readText(valueAt(repository, 'html_url')),
    defaultBranch: readText(valueAt(repository, 'default_branch')),
    private: readBoolean(valueAt(repository, 'private')),
  };
}

function toIssue(issue: JsonObject): JsonObject {
  // On GitHub, every pull request is also an issue, and its comments arrive as issue comments.
  return { ...toPost(issue), isPullRequest: isJsonObject(valueAt(issue, 'pull_request')) };
}

function toPullRequest(pull: JsonObject): JsonObject {
  return {
    ...toPost(pull),
    draft: readBoolean(valueAt(pull, 'draft')),
    merged: readBoolean(valueAt(pull, 'merged')),
    mergeCommitSha: readText(valueAt(pull, 'merge_commit_sha')),
    head: toBranch(objectAt(pull, 'head')),
    base: toBranch(objectAt(pull, 'base')),
  };
}

function toPost(post: JsonObject): JsonObject {
  return {
    number: readInteger(valueAt(post, 'number')),
    title: readText(valueAt(post, 'title')),
    body: readText(valueAt(post, 'body'), MAX_TEXT_LENGTH),
    state: readText(valueAt(post, 'state')),
    author: readLogin(valueAt(post, 'user')),
    assignees: convertItems(valueAt(post, 'assignees'), readLogin),
    labels: convertItems(valueAt(post, 'labels'), (label) => readText(valueAt(label, 'name'))),
    url: readText(valueAt(post, 'html_url')),
  };
}

function toBranch(branch: JsonObject | undefined): JsonObject {
  return {
    ref: readText(valueAt(branch, 'ref')),
    sha: readText(valueAt(branch, 'sha')),
    repository: readText(valueAt(branch, 'repo', 'full_name')),
  };
}

function toComment(comment: JsonObject): JsonObject {
  return {
    id: readInteger(valueAt(comment, 'id')),
    body: readText(valueAt(comment, 'body'), MAX_TEXT_LENGTH),
    author: readLogin(valueAt(comment, 'user')),
    url: readText(valueAt(comment, 'html_url')),
  };
}

function toReview(review: JsonObject): JsonObject {
  return {
    state: readText(valueAt(review, 'state')),
    body: readText(valueAt(review, 'body') ?? valueAt(review, 'content'), MAX_TEXT_LENGTH),
    author: readLogin(valueAt(review, 'user')),
    url: readText(valueAt(review, 'html_url')),
  };
}

function toRelease(release: JsonObject): JsonObject {
  return {
    tag: readText(valueAt(release, 'tag_name')),
    name: readText(valueAt(release, 'name')),
    draft: readBoolean(valueAt(release, 'draft')),
    prerelease: readBoolean(valueAt(release, 'prerelease')),
    author: readLogin(valueAt(release, 'author')),
    url: readText(valueAt(release, 'html_url')),
  };
}

function toCheck(check: JsonObject): JsonObject {
  return {
    id: readInteger(valueAt(check, 'id')),
    name: readText(valueAt(check, 'name') ?? valueAt(check, 'app', 'name')),
    status: readText(valueAt(check, 'status')),
    conclusion: readText(valueAt(check, 'conclusion')),
    branch: readText(valueAt(check, 'head_branch') ?? valueAt(check, 'check_suite', 'head_branch')),
    sha: readText(valueAt(check, 'head_sha')),
    url: readText(valueAt(check, 'html_url')),
  };
}

function toPush(body: JsonObject): JsonObject {
  return {
    ref: readText(valueAt(body, 'ref')),
    before: readText(valueAt(body, 'before')),
    after: readText(valueAt(body, 'after')),
    created: readBoolean(valueAt(body, 'created')),
    deleted: readBoolean(valueAt(body, 'deleted')),
    forced: readBoolean(valueAt(body, 'forced')),
    pusher: readText(valueAt(body, 'pusher', 'name') ?? valueAt(body, 'pusher', 'login')),
    compareUrl: readText(valueAt(body, 'compare') ?? valueAt(body, 'compare_url')),
    commits: convertItems(valueAt(body, 'commits'), (commit) => ({
      id: readText(valueAt(commit, 'id')),
      message: readText(valueAt(commit, 'message')),
      author: readText(valueAt(commit, 'author', 'username') ?? valueAt(commit, 'author', 'name')),
      url: readText(valueAt(commit, 'url')),
    })),
  };
}

function readLogin(person: Json | undefined): string | null {
  return readText(valueAt(person, 'login') ?? valueAt(person, 'name'));
}
