import { Secret } from '@countersign/core/plugin';
import { expect } from 'chai';
import { secretAdvice } from './secret-advice.js';

const advice = (secret: string, more: { Enabled?: boolean; Hosts?: ('github' | 'gitlab')[] } = {}) =>
  secretAdvice({
    Enabled: true,
    Hosts: ['github', 'gitlab'],
    RejectReplayedBodies: false,
    ...more,
    Secret: new Secret(secret),
  });

describe('the advice on the secret of code hosts', () => {
  it('should be loud where there is none', () => {
    expect(advice('')).to.match(/anybody who reaches it can start and resume runs/);
  });

  it('should name a short one, and a signing token of GitLab that is none', () => {
    expect(advice('short'))
      .to.match(/shorter than 24 bytes/)
      .and.not.include('short"');
    expect(advice(`whsec_${'!'.repeat(30)}`)).to.match(/no delivery of GitLab/);
  });

  it('should be none where all is well, or nothing is taken', () => {
    expect(advice('a secret that is long enough to be one')).to.equal(undefined);
    expect(advice(`whsec_${Buffer.alloc(32).toString('base64')}`)).to.equal(undefined);
    expect(advice(`whsec_${'!'.repeat(30)}`, { Hosts: ['github'] })).to.equal(undefined);
    expect(advice('', { Enabled: false })).to.equal(undefined);
  });
});
