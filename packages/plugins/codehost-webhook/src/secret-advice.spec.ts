import { Secret } from '@countersign/core/plugin';
import { expect } from 'chai';
import { secretAdvice } from './secret-advice.js';

const advice = (
  secret: string,
  more: { Enabled?: boolean | undefined; AllowUnsigned?: boolean; Hosts?: ('github' | 'gitlab')[] } = {},
) =>
  secretAdvice({
    Enabled: true,
    AllowUnsigned: false,
    Hosts: ['github', 'gitlab'],
    RejectReplayedBodies: false,
    ...more,
    Secret: new Secret(secret),
  });

describe('the advice on the secret of code hosts', () => {
  it('should be loud where there is none', () => {
    expect(advice('', { AllowUnsigned: true })).to.match(/anybody who can reach it can start and resume runs/);
    expect(advice('')).to.match(/programs on this machine .* deliveries from other machines are refused/);
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
    expect(advice('', { Enabled: undefined })).to.equal(undefined);
  });
});
