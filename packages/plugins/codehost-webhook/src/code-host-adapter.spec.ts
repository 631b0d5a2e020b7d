import { expect } from 'chai';
import { findClaimedHost } from './code-host-adapter.js';
import { createHeaderLookup } from './octokit.spec.support.js';

const claimedKind = (...names: string[]) =>
  findClaimedHost(createHeaderLookup(Object.fromEntries(names.map((name) => [name, 'x']))))?.kind;

describe('findClaimedHost()', () => {
  it('should return the code host whose headers the delivery has', () => {
    expect(claimedKind('X-GitHub-Event', 'X-Hub-Signature-256', 'X-GitHub-Delivery')).to.equal('github');
    expect(claimedKind('x-gitlab-event', 'X-Gitlab-Token')).to.equal('gitlab');
  });

  it('should return Gitea for Gitea or Forgejo headers next to GitHub headers', () => {
    expect(
      claimedKind('X-Gitea-Event', 'X-Gitea-Signature', 'X-Gogs-Event', 'X-GitHub-Event', 'X-Hub-Signature-256'),
    ).to.equal('gitea');
    expect(claimedKind('X-Forgejo-Event', 'X-Gitea-Event', 'X-GitHub-Event')).to.equal('gitea');
    expect(claimedKind('X-GitHub-Event', 'X-Forgejo-Signature')).to.equal('gitea');
  });

  it('should return undefined for missing, unknown or contradictory headers', () => {
    expect(claimedKind()).to.equal(undefined);
    expect(claimedKind('X-Event')).to.equal(undefined);
    expect(claimedKind('X-GitHub-Event', 'X-Hub-Signature-256', 'X-Gitlab-Token')).to.equal(undefined);
    expect(claimedKind('X-Gitea-Event', 'X-Gitlab-Event')).to.equal(undefined);
  });
});
