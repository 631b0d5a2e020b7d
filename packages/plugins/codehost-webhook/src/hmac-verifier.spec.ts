import { sign } from '@octokit/webhooks-methods';
import { expect } from 'chai';
import { githubBody, createHeaderLookup } from './octokit.spec.support.js';
import { giteaVerifier, githubVerifier } from './hmac-verifier.js';

const SECRET = 'a secret of more than 24 bytes';
const NOW = 0;

describe('the signature of GitHub', () => {
  const text = JSON.stringify(githubBody('issues', 'opened'));
  const body = Buffer.from(text);
  let signature: string;

  before(async () => {
    signature = await sign(SECRET, text);
  });

  const isValid = (values: Record<string, string>, bytes: Buffer = body, secrets: string[] = [SECRET]) =>
    githubVerifier.verify({ header: createHeaderLookup(values), body: bytes }, secrets, NOW);

  it('should be valid if Octokit signs with the current or the previous secret', () => {
    expect(isValid({ 'X-Hub-Signature-256': signature })).to.equal(true);
    expect(isValid({ 'x-hub-SIGNATURE-256': signature })).to.equal(true);
    expect(isValid({ 'X-Hub-Signature-256': signature }, body, ['the new one', SECRET])).to.equal(true);
    expect(isValid({ 'X-Hub-Signature-256': signature }, body, [SECRET, 'the old one'])).to.equal(true);
  });

  it('should be invalid with another secret or without a secret', () => {
    expect(isValid({ 'X-Hub-Signature-256': signature }, body, ['another'])).to.equal(false);
    expect(isValid({ 'X-Hub-Signature-256': signature }, body, [])).to.equal(false);
  });

  it('should be valid with upper-case hex digits', () => {
    expect(isValid({ 'X-Hub-Signature-256': `sha256=${signature.slice(7).toUpperCase()}` })).to.equal(true);
  });

  it('should be invalid if any bit changes, except the case of a hex digit', () => {
    const bytes = Buffer.from(signature);
    for (let index = 0; index < bytes.length; index += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        const changed = Buffer.from(bytes);
        changed[index] = (changed[index] ?? 0) ^ (1 << bit);
        const isEquivalent = index >= 'sha256='.length && changed.toString('latin1').toLowerCase() === signature;
        expect(isValid({ 'X-Hub-Signature-256': changed.toString('latin1') }), `byte ${index}, bit ${bit}`).to.equal(
          isEquivalent,
        );
      }
    }
  });

  it('should be invalid if any byte of the body changes', () => {
    for (let index = 0; index < body.length; index += 1) {
      const changed = Buffer.from(body);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(isValid({ 'X-Hub-Signature-256': signature }, changed), `byte ${index}`).to.equal(false);
    }
    expect(isValid({ 'X-Hub-Signature-256': signature }, Buffer.concat([body, Buffer.from(' ')]))).to.equal(false);
  });

  it('should be invalid if it is missing, has the wrong length, has no prefix or an upper-case prefix, or uses SHA-1', () => {
    const digits = signature.slice('sha256='.length);
    for (const value of [
      '',
      'sha256=',
      signature.slice(0, -1),
      `${signature}0`,
      signature.toUpperCase(),
      digits,
      ` ${signature}`,
    ]) {
      expect(isValid({ 'X-Hub-Signature-256': value }), value).to.equal(false);
    }
    expect(isValid({})).to.equal(false);
    expect(isValid({ 'X-Hub-Signature': signature })).to.equal(false);
  });
});

describe('the signature of Gitea and Forgejo', () => {
  const body = Buffer.from('{"action":"opened"}');
  let digits: string;

  before(async () => {
    digits = (await sign(SECRET, body.toString())).slice('sha256='.length);
  });

  const isValid = (values: Record<string, string>) =>
    giteaVerifier.verify({ header: createHeaderLookup(values), body }, [SECRET], NOW);

  it('should be valid as hex digits of either case, in the header of Gitea or Forgejo', () => {
    expect(isValid({ 'X-Gitea-Signature': digits })).to.equal(true);
    expect(isValid({ 'X-Gitea-Signature': digits.toUpperCase() })).to.equal(true);
    expect(isValid({ 'X-Forgejo-Signature': digits })).to.equal(true);
  });

  it('should be invalid with a prefix, if empty, or in another header', () => {
    expect(isValid({ 'X-Gitea-Signature': `sha256=${digits}` })).to.equal(false);
    expect(isValid({ 'X-Gitea-Signature': '' })).to.equal(false);
    expect(isValid({ 'X-Hub-Signature-256': `sha256=${digits}` })).to.equal(false);
  });

  it('should be invalid if the more specific header is wrong and the other header is right', () => {
    expect(isValid({ 'X-Forgejo-Signature': '0'.repeat(64), 'X-Gitea-Signature': digits })).to.equal(false);
  });
});
