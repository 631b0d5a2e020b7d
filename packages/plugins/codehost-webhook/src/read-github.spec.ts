import type { Json } from '@countersign/core/plugin';
import { canonicalJson, isJsonObject } from '@countersign/model';
import { expect } from 'chai';
import { githubBody, GITHUB_DELIVERIES, createHeaderLookup } from './octokit.spec.support.js';
import { readGithubEvent } from './read-github.js';

const readEvent = (name: string, body: ReturnType<typeof githubBody>) =>
  readGithubEvent(createHeaderLookup({ 'X-GitHub-Event': name }), body);

describe('events of GitHub', () => {
  it('should keep the event name and action of GitHub and the repository, for every kind of event', () => {
    expect(GITHUB_DELIVERIES).to.have.length.above(250);
    for (const { name, body } of GITHUB_DELIVERIES) {
      const { event, action, about } = readEvent(name, body);
      expect({ event, action }).to.eql({ event: name, action: body['action'] ?? null });
      const repository = isJsonObject(body['repository']) ? body['repository']['full_name'] : undefined;
      expect(about?.repository, name).to.equal(repository);
      if (about !== null) expect(canonicalJson(about.details).length, name).to.be.below(10_000);
    }
  });

  it('should contain the details of an issue', () => {
    const { about } = readEvent('issues', githubBody('issues', 'opened'));

    expect(about).to.deep.include({ repository: 'Codertocat/Hello-World', number: 1 });
    expect(about?.details).to.deep.equal({
      repository: {
        fullName: 'Codertocat/Hello-World',
        owner: 'Codertocat',
        name: 'Hello-World',
        url: 'https://github.com/Codertocat/Hello-World',
        defaultBranch: 'master',
        private: false,
      },
      sender: 'Codertocat',
      issue: {
        number: 1,
        title: 'Spelling error in the README file',
        body: "It looks like you accidently spelled 'commit' with two 't's.",
        state: 'open',
        author: 'Codertocat',
        assignees: ['Codertocat'],
        labels: ['bug'],
        url: 'https://github.com/Codertocat/Hello-World/issues/1',
        isPullRequest: false,
      },
    });
  });

  it('should contain the details of a comment and its issue', () => {
    const { about } = readEvent('issue_comment', githubBody('issue_comment', 'created'));

    expect(about?.number).to.equal(1);
    expect(about?.details).to.have.nested.property('issue.number', 1);
    expect(about?.details['comment']).to.include({
      author: 'Codertocat',
      body: "You are totally right! I'll get this fixed right away.",
    });
  });

  it('should contain the details of a pull request with its branches', () => {
    const { about } = readEvent('pull_request', githubBody('pull_request', 'opened'));

    expect(about).to.deep.include({ repository: 'Codertocat/Hello-World', number: 2 });
    expect(about?.details['pullRequest']).to.deep.include({
      title: 'Update the README with new information.',
      merged: false,
      draft: false,
      head: { ref: 'changes', sha: 'ec26c3e57ca3a959ca5aad62de7213c562f8c821', repository: 'Codertocat/Hello-World' },
      base: { ref: 'master', sha: 'f95f852bd8fca8fcc58a9a2d6c842781e32a215e', repository: 'Codertocat/Hello-World' },
    });
  });

  it('should contain the commits of a push', () => {
    const { about } = readEvent(
      'push',
      githubBody('push', undefined, ({ commits }) => Array.isArray(commits) && commits.length > 0),
    );

    expect(about).to.include({ number: null });
    expect(about?.details['push'])
      .to.have.property('ref')
      .that.matches(/^refs\//);
    expect(about?.details['push'])
      .to.have.nested.property('commits[0].id')
      .that.matches(/^[0-9a-f]{40}$/);
  });

  it('should have the number of the pull request if a check belongs to exactly one', () => {
    const belongsToOnePullRequest =
      (name: string) =>
      ({ [name]: check }: Record<string, Json>) =>
        isJsonObject(check) && Array.isArray(check['pull_requests']) && check['pull_requests'].length === 1;
    for (const name of ['check_run', 'check_suite']) {
      const { about } = readEvent(name, githubBody(name, undefined, belongsToOnePullRequest(name)));
      expect(about?.number, name).to.equal(2);
      expect(about?.details['check'], name).to.include.keys('status', 'conclusion', 'sha', 'branch');
    }
    const isSuccessWithoutPullRequest = ({ workflow_run: check }: Record<string, Json>) =>
      isJsonObject(check) &&
      check['conclusion'] === 'success' &&
      Array.isArray(check['pull_requests']) &&
      check['pull_requests'].length === 0;
    const run = readEvent('workflow_run', githubBody('workflow_run', 'completed', isSuccessWithoutPullRequest));
    expect(run.about?.number).to.equal(null);
    expect(run.about?.details['check']).to.include({ status: 'completed', conclusion: 'success' });
  });

  it('should be refused if the name in the header does not match the body', () => {
    const comment = githubBody('issue_comment', 'edited');
    const checkRun = githubBody('check_run', 'completed');
    const review = githubBody('pull_request_review', 'submitted');
    const branchCreation = githubBody('create');
    for (const [name, body] of [
      ['issues', comment],
      ['check_suite', checkRun],
      ['pull_request', review],
      ['push', branchCreation],
      ['issues', {}],
      ['issue_comment', githubBody('issues', 'opened')],
    ] as const) {
      expect(() => readEvent(name, body), name)
        .to.throw(/The body/)
        .with.property('code', 'invalid_event');
    }
  });

  it('should be refused if the event name or the action is missing or invalid', () => {
    const body = githubBody('issues', 'opened');
    for (const name of ['', 'Issues', 'issues.opened', '__proto__', 'a'.repeat(65)])
      expect(() => readEvent(name, body), name)
        .to.throw()
        .with.property('code', 'invalid_event');
    expect(() => readGithubEvent(createHeaderLookup({}), body)).to.throw(/X-GitHub-Event is missing/);
    for (const action of [7, 'a b', 'a\0', '.', 'a'.repeat(101), {}]) {
      expect(() => readEvent('issues', { ...body, action: action as string }), String(action))
        .to.throw()
        .with.property('code', 'invalid_event');
    }
    expect(
      readEvent('repository_dispatch', { ...githubBody('repository_dispatch'), action: 'on-demand-test' }).action,
    ).to.equal('on-demand-test');
  });

  it('should contain sanitized and truncated strings', () => {
    const body = githubBody('issues', 'opened');
    const labels = Array.from({ length: 500 }, (_, index) => ({ name: `label ${index}` }));
    const issue = {
      ...(body['issue'] as object),
      title: `a\0b\ud800${'x'.repeat(2_000)}`,
      body: 'y'.repeat(100_000),
      labels,
      user: { login: 7 },
    };

    const issueDetails = readEvent('issues', { ...body, issue }).about?.details['issue'];

    expect(issueDetails)
      .to.have.property('title')
      .that.matches(/^ab\ufffdx+$/)
      .with.length.at.most(1_000);
    expect(issueDetails).to.have.property('body').with.length(16_384);
    expect(issueDetails).to.have.property('labels').with.length(50);
    expect(issueDetails).to.have.property('author', null);
  });

  it('should not refer to a repository if the repository name is invalid', () => {
    const body = githubBody('issues', 'opened');
    for (const name of ['', 'alone', 'a/b#1', 'a//b', 'a b/c', '/b', `a/${'b'.repeat(300)}`, 7]) {
      expect(readEvent('issues', { ...body, repository: { full_name: name } }).about, String(name)).to.equal(null);
    }
  });
});
