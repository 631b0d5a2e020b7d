import { Secret } from '@countersign/core/plugin';
import { expect } from 'chai';
import { findSecretAdvice } from './secret-advice.js';

const readAdvice = (
  secret: string,
  settings: { Enabled?: boolean | undefined; AllowUnsigned?: boolean; Hosts?: ('github' | 'gitlab')[] } = {},
) =>
  findSecretAdvice({
    Enabled: true,
    AllowUnsigned: false,
    Hosts: ['github', 'gitlab'],
    RejectReplayedBodies: false,
    ...settings,
    Secret: new Secret(secret),
  });

describe('findSecretAdvice()', () => {
  it('should warn if no secret is set', () => {
    expect(readAdvice('', { AllowUnsigned: true })).to.match(
      /anyone who can reach this path can start and resume runs/,
    );
    expect(readAdvice('')).to.match(/programs on this machine .* deliveries from other machines are refused/);
  });

  it('should warn about a short secret and an invalid GitLab signing token', () => {
    expect(readAdvice('short'))
      .to.match(/shorter than 24 bytes/)
      .and.not.include('short"');
    expect(readAdvice(`whsec_${'!'.repeat(30)}`)).to.match(/deliveries from GitLab may be refused/);
  });

  it('should return undefined if the secret is sufficient or the webhook is disabled', () => {
    expect(readAdvice('a secret of more than 24 bytes')).to.equal(undefined);
    expect(readAdvice(`whsec_${Buffer.alloc(32).toString('base64')}`)).to.equal(undefined);
    expect(readAdvice(`whsec_${'!'.repeat(30)}`, { Hosts: ['github'] })).to.equal(undefined);
    expect(readAdvice('', { Enabled: false })).to.equal(undefined);
    expect(readAdvice('', { Enabled: undefined })).to.equal(undefined);
  });
});
