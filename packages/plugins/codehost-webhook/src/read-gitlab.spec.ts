import type { JsonObject } from '@countersign/core/plugin';
import { expect } from 'chai';
import {
  gitlabIssue,
  gitlabJob,
  gitlabMergeRequest,
  gitlabNote,
  gitlabPipeline,
  gitlabPush,
} from './gitlab.spec.support.js';
import { createHeaderLookup } from './octokit.spec.support.js';
import { readGitlabEvent } from './read-gitlab.js';

const readEvent = (body: JsonObject) => readGitlabEvent(createHeaderLookup({ 'X-Gitlab-Event': 'Some Hook' }), body);
const describeEvent = (body: JsonObject) => {
  const { event, action, about } = readEvent(body);
  return `${event}.${String(action)} ${about?.repository}#${about?.number}`;
};

describe('events of GitLab', () => {
  it('should have the event and action names of GitHub', () => {
    const cases: [JsonObject, string][] = [
      [gitlabIssue('open'), 'issues.opened works/steam/engine#23'],
      [gitlabIssue('close'), 'issues.closed works/steam/engine#23'],
      [gitlabIssue('reopen'), 'issues.reopened works/steam/engine#23'],
      [gitlabIssue('update'), 'issues.edited works/steam/engine#23'],
      [gitlabMergeRequest('open'), 'pull_request.opened works/steam/engine#23'],
      [gitlabMergeRequest('update'), 'pull_request.edited works/steam/engine#23'],
      [gitlabMergeRequest('update', { oldrev: 'b'.repeat(40) }), 'pull_request.synchronize works/steam/engine#23'],
      [gitlabMergeRequest('merge', { state: 'merged' }), 'pull_request.closed works/steam/engine#23'],
      [gitlabMergeRequest('close', { state: 'closed' }), 'pull_request.closed works/steam/engine#23'],
      [gitlabMergeRequest('approved'), 'pull_request_review.submitted works/steam/engine#23'],
      [gitlabMergeRequest('unapproval'), 'pull_request_review.dismissed works/steam/engine#23'],
      [gitlabNote('Issue', 'create'), 'issue_comment.created works/steam/engine#23'],
      [gitlabNote('Issue', 'update'), 'issue_comment.edited works/steam/engine#23'],
      [gitlabNote('Issue'), 'issue_comment.created works/steam/engine#23'],
      [gitlabNote('Commit', 'create'), 'commit_comment.created works/steam/engine#null'],
      [gitlabPush('push'), 'push.null works/steam/engine#null'],
      [gitlabPush('tag_push'), 'push.null works/steam/engine#null'],
      [gitlabPipeline('pending'), 'workflow_run.requested works/steam/engine#null'],
      [gitlabPipeline('running'), 'workflow_run.in_progress works/steam/engine#null'],
      [gitlabPipeline('success'), 'workflow_run.completed works/steam/engine#null'],
      [gitlabPipeline('failed', { merge_request: { id: 1, iid: 7 } }), 'workflow_run.completed works/steam/engine#7'],
      [gitlabJob('created'), 'workflow_job.queued works/steam/engine#null'],
      [gitlabJob('canceled'), 'workflow_job.completed works/steam/engine#null'],
      [{ ...gitlabPush('push'), object_kind: 'release', action: 'create' }, 'release.created works/steam/engine#null'],
    ];
    for (const [body, name] of cases) expect(describeEvent(body)).to.equal(name);
  });

  it('should distinguish a comment on a merge request from a comment on the issue with the same number', () => {
    expect(describeEvent(gitlabNote('MergeRequest', 'create'))).to.equal(
      'pull_request_review_comment.created works/steam/engine#23',
    );
  });

  it('should have the details of GitHub events', () => {
    expect(readEvent(gitlabIssue('open')).about?.details).to.deep.equal({
      repository: {
        fullName: 'works/steam/engine',
        owner: 'works/steam',
        name: 'engine',
        url: 'https://gitlab.example.org/works/steam/engine',
        defaultBranch: 'main',
        private: true,
      },
      sender: 'ada',
      issue: {
        number: 23,
        title: 'It squeaks',
        body: 'Listen.',
        state: 'open',
        author: null,
        assignees: ['grace'],
        labels: ['noise'],
        url: 'https://gitlab.example.org/works/steam/engine/-/issues/23',
        isPullRequest: false,
      },
    });
    expect(
      readEvent(gitlabMergeRequest('merge', { state: 'merged', merge_commit_sha: 'd'.repeat(40) })).about?.details[
        'pullRequest'
      ],
    ).to.deep.include({
      state: 'closed',
      merged: true,
      mergeCommitSha: 'd'.repeat(40),
      head: { ref: 'oil', sha: 'a'.repeat(40), repository: 'works/steam/engine' },
    });
    expect(readEvent(gitlabMergeRequest('approved')).about?.details['review']).to.include({
      state: 'approved',
      author: 'ada',
    });
    expect(readEvent(gitlabNote('Issue', 'create')).about?.details).to.have.nested.property(
      'comment.body',
      'I hear it.',
    );
    expect(readEvent(gitlabPush('push')).about?.details['push']).to.deep.include({
      pusher: 'ada',
      created: true,
      deleted: false,
    });
    expect(readEvent(gitlabPush('push', '0'.repeat(40))).about?.details['push']).to.deep.include({ deleted: true });
    expect(readEvent(gitlabPipeline('failed')).about?.details['check']).to.include({
      name: 'tests',
      status: 'failed',
      conclusion: 'failure',
      sha: 'c'.repeat(40),
    });
    expect(readEvent(gitlabJob('running')).about?.details['check']).to.include({
      name: 'unit',
      status: 'running',
      conclusion: null,
    });
  });

  it('should not refer to a repository if GitHub has no equivalent event', () => {
    for (const [body, event] of [
      [gitlabNote('Snippet', 'create'), 'note'],
      [{ object_kind: 'wiki_page' }, 'wiki_page'],
      [{ event_name: 'project_create' }, 'project_create'],
      [{ object_kind: 'toString' }, 'toString'],
    ] as const) {
      expect(readEvent(body as JsonObject)).to.eql({ event, action: null, about: null });
    }
  });

  it('should have no action if the action of GitLab is unknown', () => {
    for (const action of ['toString', '__proto__', 'anything'])
      expect(readEvent(gitlabIssue(action)), action).to.include({ event: 'issues', action: null });
  });

  it('should be refused without an object_kind', () => {
    for (const body of [{}, { object_kind: 7 }, { object_kind: '' }] as JsonObject[])
      expect(() => readEvent(body))
        .to.throw(/object_kind/)
        .with.property('code', 'invalid_event');
  });
});
