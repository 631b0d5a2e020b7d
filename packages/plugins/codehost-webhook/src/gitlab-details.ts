import type { Json, JsonObject } from '@countersign/core/plugin';
import { toConclusion, type GithubEventName } from './gitlab-events.js';
import { valueAt, readBoolean, readInteger, convertItems, MAX_TEXT_LENGTH, objectAt, readText } from './read-value.js';

/**
 * Converts a body of GitLab to the details for runs, which are the same as for GitHub as far as GitLab provides them.
 */
export function toGitlabDetails(body: JsonObject, { event, action }: GithubEventName): JsonObject {
  const attributes = objectAt(body, 'object_attributes') ?? {};
  const details: JsonObject = { repository: toRepository(objectAt(body, 'project')), sender: readSender(body) };
  const issue = event === 'issues' ? attributes : objectAt(body, 'issue');
  const mergeRequest = valueAt(body, 'object_kind') === 'merge_request' ? attributes : objectAt(body, 'merge_request');
  if (issue !== undefined) details['issue'] = { ...toPost(issue, body), isPullRequest: false };
  if (mergeRequest !== undefined) details['pullRequest'] = toPullRequest(mergeRequest, body);
  if (event.endsWith('_comment')) details['comment'] = toComment(attributes, details['sender'] ?? null);
  if (event === 'pull_request_review')
    details['review'] = {
      state: action === 'submitted' ? 'approved' : 'dismissed',
      body: null,
      author: details['sender'] ?? null,
      url: readText(attributes['url']),
    };
  if (event === 'workflow_run') details['check'] = toPipelineCheck(attributes);
  if (event === 'workflow_job') details['check'] = toJobCheck(body);
  if (event === 'push') details['push'] = toPush(body);
  if (event === 'release')
    details['release'] = {
      tag: readText(body['tag']),
      name: readText(body['name']),
      draft: false,
      prerelease: false,
      author: null,
      url: readText(body['url']),
    };
  return details;
}

/** Returns the number of the issue or merge request that a body concerns. */
export function findGitlabNumber(body: JsonObject): number | null {
  const attributeNumber = ['issue', 'merge_request'].includes(String(valueAt(body, 'object_kind')))
    ? valueAt(body, 'object_attributes', 'iid')
    : undefined;
  return readInteger(attributeNumber ?? valueAt(body, 'issue', 'iid') ?? valueAt(body, 'merge_request', 'iid'));
}

function toRepository(project: JsonObject | undefined): JsonObject {
  const fullName = readText(valueAt(project, 'path_with_namespace'));
  const slash = fullName?.lastIndexOf('/') ?? -1;
  const visibility = readInteger(valueAt(project, 'visibility_level'));
  return {
    fullName,
    owner: fullName === null || slash < 0 ? null : fullName.slice(0, slash),
    name: fullName === null ? null : fullName.slice(slash + 1),
    url: readText(valueAt(project, 'web_url')),
    defaultBranch: readText(valueAt(project, 'default_branch')),
    // 0 private, 10 internal, 20 public
    private: visibility === null ? null : visibility < 20,
  };
}

function readSender(body: JsonObject): string | null {
  return readText(valueAt(body, 'user', 'username') ?? valueAt(body, 'user_username') ?? valueAt(body, 'user', 'name'));
}

function toPost(post: JsonObject, body: JsonObject): JsonObject {
  const state = readText(post['state']);
  return {
    number: readInteger(post['iid']),
    title: readText(post['title']),
    body: readText(post['description'], MAX_TEXT_LENGTH),
    state: state === 'opened' ? 'open' : state === 'merged' ? 'closed' : state,
    // GitLab identifies the author only by a number.
    author: null,
    assignees: convertItems(body['assignees'], (person) => readText(valueAt(person, 'username'))),
    labels: convertItems(post['labels'] ?? body['labels'], (label) => readText(valueAt(label, 'title'))),
    url: readText(post['url']),
  };
}

function toPullRequest(mergeRequest: JsonObject, body: JsonObject): JsonObject {
  return {
    ...toPost(mergeRequest, body),
    draft: readBoolean(mergeRequest['draft'] ?? mergeRequest['work_in_progress']),
    merged: mergeRequest['state'] === 'merged',
    mergeCommitSha: readText(mergeRequest['merge_commit_sha']),
    head: {
      ref: readText(mergeRequest['source_branch']),
      sha: readText(valueAt(mergeRequest, 'last_commit', 'id')),
      repository: readText(valueAt(mergeRequest, 'source', 'path_with_namespace')),
    },
    base: {
      ref: readText(mergeRequest['target_branch']),
      sha: null,
      repository: readText(valueAt(mergeRequest, 'target', 'path_with_namespace')),
    },
  };
}

function toComment(note: JsonObject, author: Json): JsonObject {
  return {
    id: readInteger(note['id']),
    body: readText(note['note'], MAX_TEXT_LENGTH),
    author,
    url: readText(note['url']),
  };
}

function toPipelineCheck(pipeline: JsonObject): JsonObject {
  const status = readText(pipeline['status']);
  return {
    id: readInteger(pipeline['id']),
    name: readText(pipeline['name']),
    status,
    conclusion: status === null ? null : toConclusion(status),
    branch: readText(pipeline['ref']),
    sha: readText(pipeline['sha']),
    url: readText(pipeline['url']),
  };
}

function toJobCheck(body: JsonObject): JsonObject {
  const status = readText(body['build_status']);
  return {
    id: readInteger(body['build_id']),
    name: readText(body['build_name']),
    status,
    conclusion: status === null ? null : toConclusion(status),
    branch: readText(body['ref']),
    sha: readText(body['sha']),
    url: null,
  };
}

function toPush(body: JsonObject): JsonObject {
  const [before, after] = [readText(body['before']), readText(body['after'])];
  return {
    ref: readText(body['ref']),
    before,
    after,
    created: before === null ? null : /^0+$/.test(before),
    deleted: after === null ? null : /^0+$/.test(after),
    forced: null,
    pusher: readSender(body),
    compareUrl: null,
    commits: convertItems(body['commits'], (commit) => ({
      id: readText(valueAt(commit, 'id')),
      message: readText(valueAt(commit, 'message')),
      author: readText(valueAt(commit, 'author', 'name')),
      url: readText(valueAt(commit, 'url')),
    })),
  };
}
