import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { createHeaderLookup } from './octokit.spec.support.js';
import { gitlabVerifier, isUsableSigningToken } from './gitlab-verifier.js';

const KEY = Buffer.from('0123456789abcdef0123456789abcdef');
const SIGNING_TOKEN = `whsec_${KEY.toString('base64')}`;
const NOW = Date.parse('2026-03-01T12:00:00Z');
const SECONDS = NOW / 1000;
const BODY = Buffer.from('{"object_kind":"issue"}');

/** Returns headers signed according to Standard Webhooks 1.0.0: HMAC-SHA256 of id, time and body, joined by dots. */
function createSignedHeaders(id: string, timestamp: number | string, key = KEY): Record<string, string> {
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${BODY.toString()}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${signature}` };
}

const isValid = (values: Record<string, string>, secrets: string[]) =>
  gitlabVerifier.verify({ header: createHeaderLookup(values), body: BODY }, secrets, NOW);

describe('the secret token of GitLab', () => {
  it('should be valid if it equals the current or the previous secret', () => {
    expect(isValid({ 'X-Gitlab-Token': 'the token' }, ['the token'])).to.equal(true);
    expect(isValid({ 'X-Gitlab-Token': 'the old token' }, ['the token', 'the old token'])).to.equal(true);
  });

  it('should be invalid if it differs, is incomplete, empty or missing', () => {
    for (const value of ['The token', 'the toke', 'the token ', '', 'the tokenthe token'])
      expect(isValid({ 'X-Gitlab-Token': value }, ['the token']), value).to.equal(false);
    expect(isValid({}, ['the token'])).to.equal(false);
    expect(isValid({ 'X-Gitlab-Token': '' }, [])).to.equal(false);
  });
});

describe('the signing token of GitLab', () => {
  it('should accept its signature among several if the timestamp is within five minutes', () => {
    expect(isValid(createSignedHeaders('one', SECONDS), [SIGNING_TOKEN])).to.equal(true);
    expect(isValid(createSignedHeaders('one', SECONDS - 299), [SIGNING_TOKEN])).to.equal(true);
    expect(isValid(createSignedHeaders('one', SECONDS + 299), ['another secret', SIGNING_TOKEN])).to.equal(true);
    const otherSignature = 'v1,AAAA';
    const { 'webhook-signature': ownSignature = '', ...rest } = createSignedHeaders('one', SECONDS);
    expect(isValid({ ...rest, 'webhook-signature': `${otherSignature} ${ownSignature}` }, [SIGNING_TOKEN])).to.equal(
      true,
    );
  });

  it('should refuse a timestamp that is too old, too far ahead or malformed', () => {
    for (const timestamp of [SECONDS - 301, SECONDS + 301, '', 'now', '1e9', `${SECONDS}.0`, '-1']) {
      expect(isValid(createSignedHeaders('one', timestamp), [SIGNING_TOKEN]), String(timestamp)).to.equal(false);
    }
  });

  it('should refuse a signature for another id, timestamp or key, or with a missing header', () => {
    expect(isValid({ ...createSignedHeaders('one', SECONDS), 'webhook-id': 'two' }, [SIGNING_TOKEN])).to.equal(false);
    expect(
      isValid({ ...createSignedHeaders('one', SECONDS), 'webhook-timestamp': String(SECONDS + 1) }, [SIGNING_TOKEN]),
    ).to.equal(false);
    expect(isValid(createSignedHeaders('one', SECONDS, Buffer.from(SIGNING_TOKEN)), [SIGNING_TOKEN])).to.equal(false);
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      const { [name]: _, ...rest } = createSignedHeaders('one', SECONDS);
      expect(isValid(rest, [SIGNING_TOKEN]), name).to.equal(false);
    }
  });

  it('should require a signature even if a header contains the signing token', () => {
    expect(isValid({ 'X-Gitlab-Token': SIGNING_TOKEN }, [SIGNING_TOKEN])).to.equal(false);
    expect(
      isValid({ ...createSignedHeaders('one', SECONDS - 301), 'X-Gitlab-Token': SIGNING_TOKEN }, [SIGNING_TOKEN]),
    ).to.equal(false);
  });

  it('should accept no signature if it is malformed', () => {
    for (const token of ['whsec_', 'whsec_!!!!', 'whsec_abc']) {
      const key = Buffer.from(token.slice('whsec_'.length), 'base64');
      expect(isValid(createSignedHeaders('one', SECONDS, key), [token]), token).to.equal(false);
      expect(isUsableSigningToken(token), token).to.equal(false);
    }
    expect(isUsableSigningToken(SIGNING_TOKEN)).to.equal(true);
  });
});
