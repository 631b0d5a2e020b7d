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

describe('secretAdvice()', () => {
  it('should warn if no secret is set', () => {
    expect(advice('', { AllowUnsigned: true })).to.match(/anyone who can reach it can start and resume runs/);
    expect(advice('')).to.match(/programs on this machine .* deliveries from other machines are refused/);
  });

  it('should warn of a short secret and of an invalid signing token of GitLab', () => {
    expect(advice('short'))
      .to.match(/shorter than 24 bytes/)
      .and.not.include('short"');
    expect(advice(`whsec_${'!'.repeat(30)}`)).to.match(/no delivery of GitLab/);
  });

  it('should return undefined if the secret is sufficient or the webhook is disabled', () => {
    expect(advice('a secret that is long enough to be one')).to.equal(undefined);
    expect(advice(`whsec_${Buffer.alloc(32).toString('base64')}`)).to.equal(undefined);
    expect(advice(`whsec_${'!'.repeat(30)}`, { Hosts: ['github'] })).to.equal(undefined);
    expect(advice('', { Enabled: false })).to.equal(undefined);
    expect(advice('', { Enabled: undefined })).to.equal(undefined);
  });
});
