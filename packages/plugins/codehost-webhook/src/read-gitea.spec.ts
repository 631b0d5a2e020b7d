import { expect } from 'chai';
import { giteaComment, giteaIssue, giteaPullRequest, giteaPush } from './gitea.spec.support.js';
import { createHeaderLookup } from './octokit.spec.support.js';
import { readGiteaEvent } from './read-gitea.js';

const readEvent = (event: string, body: ReturnType<typeof giteaIssue>) =>
  readGiteaEvent(createHeaderLookup({ 'X-Gitea-Event': event, 'X-GitHub-Event': event }), body);

describe('events of Gitea and Forgejo', () => {
  it('should have the format of GitHub events', () => {
    const openedEvent = readEvent('issues', giteaIssue('opened'));
    expect(openedEvent).to.include({ event: 'issues', action: 'opened' });
    expect(openedEvent.about).to.deep.include({ repository: 'ada/engine', number: 3 });
    expect(openedEvent.about?.details).to.deep.equal({
      repository: {
        fullName: 'ada/engine',
        owner: 'ada',
        name: 'engine',
        url: 'http://git.example.org/ada/engine',
        defaultBranch: 'main',
        private: true,
      },
      sender: 'ada',
      issue: {
        number: 3,
        title: 'It squeaks',
        body: 'Listen.',
        state: 'open',
        author: 'ada',
        assignees: [],
        labels: ['noise'],
        url: 'http://git.example.org/ada/engine/issues/3',
        isPullRequest: false,
      },
    });

    expect(readEvent('issue_comment', giteaComment).about?.details['comment']).to.include({
      id: 77,
      author: 'ada',
      body: 'I hear it.',
    });

    const pushEvent = readEvent('push', giteaPush);
    expect(pushEvent).to.include({ event: 'push', action: null });
    expect(pushEvent.about).to.include({ repository: 'ada/engine', number: null });
    expect(pushEvent.about?.details['push']).to.deep.include({
      ref: 'refs/heads/main',
      pusher: 'ada',
      compareUrl: 'http://git.example.org/ada/engine/compare/b...c',
      commits: [
        { id: 'c'.repeat(40), message: 'Oil it\n', author: 'ada', url: 'http://git.example.org/ada/engine/commit/c' },
      ],
    });
  });

  it('should have the action names of GitHub', () => {
    for (const [giteaAction, githubAction] of [
      ['opened', 'opened'],
      ['synchronized', 'synchronize'],
      ['label_updated', 'labeled'],
      ['label_cleared', 'unlabeled'],
      ['closed', 'closed'],
    ] as const) {
      expect(readEvent('pull_request', giteaPullRequest(giteaAction)), giteaAction).to.include({
        event: 'pull_request',
        action: githubAction,
      });
    }
  });

  it('should become a review event with a state for each kind of review', () => {
    for (const [event, state] of [
      ['pull_request_approved', 'approved'],
      ['pull_request_rejected', 'changes_requested'],
      ['pull_request_comment', 'commented'],
    ] as const) {
      const reviewEvent = readEvent(event, giteaPullRequest('reviewed', { type: event, content: 'Well oiled.' }));
      expect(reviewEvent).to.include({ event: 'pull_request_review', action: 'submitted' });
      expect(reviewEvent.about?.number).to.equal(4);
      expect(reviewEvent.about?.details['review']).to.include({ state, body: 'Well oiled.', author: 'grace' });
    }
  });

  it('should be read according to the Forgejo header if it is present', () => {
    const header = createHeaderLookup({
      'X-Forgejo-Event': 'issues',
      'X-Gitea-Event': 'push',
      'X-GitHub-Event': 'push',
    });

    expect(readGiteaEvent(header, giteaIssue('closed'))).to.include({ event: 'issues', action: 'closed' });
  });

  it('should be refused if the header does not match the body', () => {
    const review = giteaPullRequest('reviewed', { type: 'pull_request_review_approved', content: '' });
    for (const [event, body] of [
      ['issues', giteaComment],
      ['pull_request', review],
      ['pull_request_approved', giteaPullRequest('opened')],
      ['push', giteaIssue('opened')],
    ] as const) {
      expect(() => readEvent(event, body), event)
        .to.throw(/The body/)
        .with.property('code', 'invalid_event');
    }
    expect(() => readGiteaEvent(createHeaderLookup({ 'X-GitHub-Event': 'issues' }), giteaIssue('opened'))).to.throw(
      /X-Gitea-Event/,
    );
  });
});
