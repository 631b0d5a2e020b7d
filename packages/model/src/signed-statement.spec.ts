import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { expect } from 'chai';
import { isSignedBy, isUsablePublicKey, readSignedStatement, computeThumbprint } from './signed-statement.js';

/** RFC 8037, appendix A.1. */
const JWK = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};
const PRIVATE_KEY = createPrivateKey({ key: JWK, format: 'jwk' });
const JWS_TYPE = 'countersign-test+jws';

const base64url = (text: string | Buffer): string => Buffer.from(text).toString('base64url');
const signJws = (header: string, payload: string, key = PRIVATE_KEY): string => {
  const signingInput = `${base64url(header)}.${base64url(payload)}`;
  return `${signingInput}.${base64url(sign(null, Buffer.from(signingInput), key))}`;
};
const HEADER = `{"alg":"EdDSA","kid":"k","typ":"${JWS_TYPE}"}`;

describe('signed statements', () => {
  it('should return the signed statement', () => {
    // when
    const parsed = readSignedStatement(signJws(HEADER, '{"a":"é","b":1}'), JWS_TYPE);

    // then
    expect(parsed).to.deep.include({ keyId: 'k', statement: { a: 'é', b: 1 } });
    expect(isSignedBy(parsed!, JWK.x)).to.equal(true);
  });

  const refusedStatements: Record<string, string> = {
    'of another type': signJws(HEADER.replace('test', 'other'), '{}'),
    'of another algorithm': signJws(HEADER.replace('EdDSA', 'none'), '{}'),
    'with an unknown header member': signJws(HEADER.replace('{', '{"a":1,'), '{}'),
    'with members that must be understood': signJws(
      `{"alg":"EdDSA","b64":false,"crit":["b64"],"kid":"k","typ":"${JWS_TYPE}"}`,
      '{}',
    ),
    'with an embedded key': signJws(
      `{"alg":"EdDSA","jwk":{"crv":"Ed25519","kty":"OKP","x":"${JWK.x}"},"kid":"k","typ":"${JWS_TYPE}"}`,
      '{}',
    ),
    'whose header members are in another order': signJws(`{"kid":"k","alg":"EdDSA","typ":"${JWS_TYPE}"}`, '{}'),
    'with a duplicate member': signJws(HEADER, '{"a":1,"a":2}'),
    'with white space': signJws(HEADER, '{ "a":1}'),
    'with half of a surrogate pair': signJws(HEADER, '{"a":"\\ud800"}'),
    'that is a list': signJws(HEADER, '[]'),
    'that is not JSON': signJws(HEADER, '{'),
    'that is not UTF-8': `${base64url(HEADER)}.${base64url(Buffer.from([0x22, 0xff, 0x22]))}.${'A'.repeat(86)}`,
    'with extra bits after its signature': `${signJws(HEADER, '{}').slice(0, -1)}B`,
    'with a fourth part': `${signJws(HEADER, '{}')}.AA`,
    'that is deeply nested': signJws(HEADER, `${'['.repeat(100_000)}${']'.repeat(100_000)}`),
  };
  for (const [description, jws] of Object.entries(refusedStatements)) {
    it(`should refuse a statement ${description}`, () =>
      expect(readSignedStatement(jws, JWS_TYPE)).to.equal(undefined));
  }

  it('should not verify with another key or for other bytes', () => {
    const otherKey = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
    const parsed = readSignedStatement(signJws(HEADER, '{"a":1}'), JWS_TYPE)!;
    expect(isSignedBy(parsed, String(otherKey.x))).to.equal(false);
    expect(isSignedBy({ ...parsed, signedBytes: Uint8Array.from([...parsed.signedBytes, 65]) }, JWK.x)).to.equal(false);
  });

  it('should name a key by its thumbprint (RFC 8037, appendix A.3)', () => {
    expect(computeThumbprint(JWK.x)).to.equal('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
  });

  it('should refuse keys that let anyone sign', () => {
    const smallOrderKeys = [
      '00'.repeat(32),
      `01${'00'.repeat(31)}`,
      '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
      'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
      `ec${'ff'.repeat(30)}7f`,
    ];
    // The neutral element followed by 0: valid for many messages under a key of small order, although made without a
    // private key.
    const signature = Buffer.concat([Buffer.from(`01${'00'.repeat(31)}`, 'hex'), Buffer.alloc(32)]);
    for (const hex of smallOrderKeys) {
      const x = base64url(Buffer.from(hex, 'hex'));
      const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
      const forgeryResults = Array.from({ length: 200 }, (_, index) =>
        verify(null, Buffer.from(`vote ${index}`), key, signature),
      );
      // The crypto library of Node.js 20 accepts such forgeries; that of Node.js 26 refuses some of them.
      if (process.versions.node.startsWith('20.'))
        expect(forgeryResults.includes(true), `${hex} accepts a forgery`).to.equal(true);
      expect(isUsablePublicKey(x), hex).to.equal(false);
      const keyWithOtherSign = Buffer.from(hex, 'hex');
      keyWithOtherSign[31] = (keyWithOtherSign[31] ?? 0) | 0x80;
      expect(isUsablePublicKey(base64url(keyWithOtherSign)), `${hex} with the other sign`).to.equal(false);
    }
    for (const firstByte of ['ed', 'ee'])
      expect(isUsablePublicKey(base64url(Buffer.from(`${firstByte}${'ff'.repeat(30)}7f`, 'hex')))).to.equal(false);
    for (const text of ['', 'AA', `${JWK.x}A`, `${JWK.x.slice(0, -1)}p`])
      expect(isUsablePublicKey(text), text).to.equal(false);
    expect(isUsablePublicKey(JWK.x)).to.equal(true);
  });
});
