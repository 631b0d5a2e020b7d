import type { Json, JsonObject } from '@countersign/core/plugin';
import { conclusionOf, type GithubName } from './gitlab-events.js';
import { at, flag, integer, items, MAX_TEXT, objectAt, text } from './pick.js';

/** Returns the details for runs from a body of GitLab: the same as for GitHub, as far as GitLab provides them. */
export function gitlabDetails(body: JsonObject, { event, action }: GithubName): JsonObject {
  const attributes = objectAt(body, 'object_attributes') ?? {};
  const details: JsonObject = { repository: repositoryOf(objectAt(body, 'project')), sender: senderOf(body) };
  const issue = event === 'issues' ? attributes : objectAt(body, 'issue');
  const merge = at(body, 'object_kind') === 'merge_request' ? attributes : objectAt(body, 'merge_request');
  if (issue !== undefined) details['issue'] = { ...postOf(issue, body), isPullRequest: false };
  if (merge !== undefined) details['pullRequest'] = pullRequestOf(merge, body);
  if (event.endsWith('_comment')) details['comment'] = commentOf(attributes, details['sender'] ?? null);
  if (event === 'pull_request_review')
    details['review'] = {
      state: action === 'submitted' ? 'approved' : 'dismissed',
      body: null,
      author: details['sender'] ?? null,
      url: text(attributes['url']),
    };
  if (event === 'workflow_run') details['check'] = pipelineOf(attributes);
  if (event === 'workflow_job') details['check'] = jobOf(body);
  if (event === 'push') details['push'] = pushOf(body);
  if (event === 'release')
    details['release'] = {
      tag: text(body['tag']),
      name: text(body['name']),
      draft: false,
      prerelease: false,
      author: null,
      url: text(body['url']),
    };
  return details;
}

/** Returns the number of the issue or merge request that a body concerns. */
export function gitlabNumber(body: JsonObject): number | null {
  const ofAttributes = ['issue', 'merge_request'].includes(String(at(body, 'object_kind')))
    ? at(body, 'object_attributes', 'iid')
    : undefined;
  return integer(ofAttributes ?? at(body, 'issue', 'iid') ?? at(body, 'merge_request', 'iid'));
}

function repositoryOf(project: JsonObject | undefined): JsonObject {
  const fullName = text(at(project, 'path_with_namespace'));
  const slash = fullName?.lastIndexOf('/') ?? -1;
  const visibility = integer(at(project, 'visibility_level'));
  return {
    fullName,
    owner: fullName === null || slash < 0 ? null : fullName.slice(0, slash),
    name: fullName === null ? null : fullName.slice(slash + 1),
    url: text(at(project, 'web_url')),
    defaultBranch: text(at(project, 'default_branch')),
    // 0 private, 10 internal, 20 public
    private: visibility === null ? null : visibility < 20,
  };
}

function senderOf(body: JsonObject): string | null {
  return text(at(body, 'user', 'username') ?? at(body, 'user_username') ?? at(body, 'user', 'name'));
}

function postOf(post: JsonObject, body: JsonObject): JsonObject {
  const state = text(post['state']);
  return {
    number: integer(post['iid']),
    title: text(post['title']),
    body: text(post['description'], MAX_TEXT),
    state: state === 'opened' ? 'open' : state === 'merged' ? 'closed' : state,
    // GitLab identifies the author only by a number.
    author: null,
    assignees: items(body['assignees'], (person) => text(at(person, 'username'))),
    labels: items(post['labels'] ?? body['labels'], (label) => text(at(label, 'title'))),
    url: text(post['url']),
  };
}

function pullRequestOf(merge: JsonObject, body: JsonObject): JsonObject {
  return {
    ...postOf(merge, body),
    draft: flag(merge['draft'] ?? merge['work_in_progress']),
    merged: merge['state'] === 'merged',
    mergeCommitSha: text(merge['merge_commit_sha']),
    head: {
      ref: text(merge['source_branch']),
      sha: text(at(merge, 'last_commit', 'id')),
      repository: text(at(merge, 'source', 'path_with_namespace')),
    },
    base: {
      ref: text(merge['target_branch']),
      sha: null,
      repository: text(at(merge, 'target', 'path_with_namespace')),
    },
  };
}

function commentOf(note: JsonObject, author: Json): JsonObject {
  return { id: integer(note['id']), body: text(note['note'], MAX_TEXT), author, url: text(note['url']) };
}

function pipelineOf(pipeline: JsonObject): JsonObject {
  const status = text(pipeline['status']);
  return {
    id: integer(pipeline['id']),
    name: text(pipeline['name']),
    status,
    conclusion: status === null ? null : conclusionOf(status),
    branch: text(pipeline['ref']),
    sha: text(pipeline['sha']),
    url: text(pipeline['url']),
  };
}

function jobOf(body: JsonObject): JsonObject {
  const status = text(body['build_status']);
  return {
    id: integer(body['build_id']),
    name: text(body['build_name']),
    status,
    conclusion: status === null ? null : conclusionOf(status),
    branch: text(body['ref']),
    sha: text(body['sha']),
    url: null,
  };
}

function pushOf(body: JsonObject): JsonObject {
  const [before, after] = [text(body['before']), text(body['after'])];
  return {
    ref: text(body['ref']),
    before,
    after,
    created: before === null ? null : /^0+$/.test(before),
    deleted: after === null ? null : /^0+$/.test(after),
    forced: null,
    pusher: senderOf(body),
    compareUrl: null,
    commits: items(body['commits'], (commit) => ({
      id: text(at(commit, 'id')),
      message: text(at(commit, 'message')),
      author: text(at(commit, 'author', 'name')),
      url: text(at(commit, 'url')),
    })),
  };
}
