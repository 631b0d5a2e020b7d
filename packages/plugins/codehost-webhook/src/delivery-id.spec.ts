import { expect } from 'chai';
import { readDeliveryId } from './delivery-id.js';
import { createHeaderLookup } from './octokit.spec.support.js';

const DIGEST = 'd'.repeat(64);
const readId = (kind: 'github' | 'gitea' | 'gitlab', values: Record<string, string>, digest = DIGEST) =>
  readDeliveryId(kind, createHeaderLookup(values), digest);

describe('readDeliveryId()', () => {
  it('should return the id from the header of the code host', () => {
    expect(readId('github', { 'X-GitHub-Delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958' })).to.equal(
      '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    );
    expect(readId('gitea', { 'X-Gitea-Delivery': 'b', 'X-GitHub-Delivery': 'c' })).to.equal('b');
    expect(readId('gitea', { 'X-Forgejo-Delivery': 'a', 'X-Gitea-Delivery': 'b' })).to.equal('a');
    expect(readId('gitlab', { 'Idempotency-Key': 'k', 'X-Gitlab-Event-UUID': 'u' })).to.equal('k');
    expect(readId('gitlab', { 'webhook-id': 'w', 'Idempotency-Key': 'k' })).to.equal('w');
  });

  it('should distinguish GitLab events that have the same trigger and therefore the same UUID', () => {
    const [first, second] = [
      readId('gitlab', { 'X-Gitlab-Event-UUID': 'u' }),
      readId('gitlab', { 'X-Gitlab-Event-UUID': 'u' }, 'e'.repeat(64)),
    ];

    expect(first).to.equal(`u-${'d'.repeat(32)}`);
    expect(first).to.not.equal(second);
  });

  it('should return an id derived from the digest of the body if no header has an id', () => {
    for (const kind of ['github', 'gitea', 'gitlab'] as const) expect(readId(kind, {})).to.equal(`sha256:${DIGEST}`);
  });

  it('should refuse an id that is empty, too long or has invalid characters', () => {
    for (const id of ['', 'a b', 'ü', 'a'.repeat(201)]) {
      expect(() => readId('github', { 'X-GitHub-Delivery': id }), id)
        .to.throw()
        .with.property('code', 'invalid_event');
    }
  });
});
