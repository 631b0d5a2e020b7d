import { expect } from 'chai';
import { claimedHost } from './code-host-adapter.js';
import { headers } from './octokit.spec.support.js';

const claimed = (...names: string[]) =>
  claimedHost(headers(Object.fromEntries(names.map((name) => [name, 'x']))))?.kind;

describe('claimedHost()', () => {
  it('should return the code host whose headers the delivery has', () => {
    expect(claimed('X-GitHub-Event', 'X-Hub-Signature-256', 'X-GitHub-Delivery')).to.equal('github');
    expect(claimed('x-gitlab-event', 'X-Gitlab-Token')).to.equal('gitlab');
  });

  it('should return Gitea for Gitea or Forgejo headers next to GitHub headers', () => {
    expect(
      claimed('X-Gitea-Event', 'X-Gitea-Signature', 'X-Gogs-Event', 'X-GitHub-Event', 'X-Hub-Signature-256'),
    ).to.equal('gitea');
    expect(claimed('X-Forgejo-Event', 'X-Gitea-Event', 'X-GitHub-Event')).to.equal('gitea');
    expect(claimed('X-GitHub-Event', 'X-Forgejo-Signature')).to.equal('gitea');
  });

  it('should return undefined for missing, unknown or contradictory headers', () => {
    expect(claimed()).to.equal(undefined);
    expect(claimed('X-Event')).to.equal(undefined);
    expect(claimed('X-GitHub-Event', 'X-Hub-Signature-256', 'X-Gitlab-Token')).to.equal(undefined);
    expect(claimed('X-Gitea-Event', 'X-Gitlab-Event')).to.equal(undefined);
  });
});
