import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { expect } from 'chai';
import type { VoteStatement } from '@countersign/model';
import { base64url, keyToSign, signedStatement, thumbprintInput, voteToSign, type KeyStatement } from './statements.js';

/** RFC 8037, appendix A.1. */
const JWK = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
} as const;
const KEY_ID = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k';
const VOTE: VoteStatement = {
  server: '01890a5d-ac96-774b-bcce-b302099a8057',
  runId: '01890a5d-ac96-774b-bcce-b302099a8058',
  approvalId: '01890a5d-ac96-774b-bcce-b302099a8059',
  round: 1,
  decision: 'approve',
  commentDigest: null,
  subjectDigest: `sha256:${'3f'.repeat(32)}`,
  keyId: KEY_ID,
  at: '2026-11-22T02:00:00.000Z',
};
const KEY: KeyStatement = { server: VOTE.server, subject: 'ada "é" 😀', keyId: KEY_ID, at: VOTE.at };

const signed = (bytes: Uint8Array): string =>
  signedStatement(bytes, sign(null, bytes, createPrivateKey({ key: JWK, format: 'jwk' })));
const part = (jws: string, index: number): string =>
  Buffer.from(jws.split('.')[index] ?? '', 'base64url').toString('utf8');

describe('signed statements', () => {
  it('should identify a key by its thumbprint, as in RFC 8037, appendix A.3', () => {
    expect(createHash('sha256').update(thumbprintInput(JWK)).digest('base64url')).to.equal(KEY_ID);
  });

  it('should serialise a vote in the same way regardless of the order of its members', () => {
    // when
    const jws = signed(voteToSign(Object.fromEntries(Object.entries(VOTE).reverse()) as unknown as VoteStatement));

    // then
    expect(part(jws, 0)).to.equal(`{"alg":"EdDSA","kid":"${KEY_ID}","typ":"countersign-vote+jws"}`);
    expect(part(jws, 1)).to.equal(
      `{"approvalId":"${VOTE.approvalId}","at":"${VOTE.at}","commentDigest":null,"decision":"approve","keyId":"${KEY_ID}","round":1,` +
        `"runId":"${VOTE.runId}","server":"${VOTE.server}","subjectDigest":"${VOTE.subjectDigest}"}`,
    );
    expect(jws.split('.')[2]).to.equal(
      'x7CNCGMnGZiL270AtZ-F_mDW8hoBnyMBpSZC7XsuiWym82LotMb3LOnIbAVctuH23YPlIAQw9m1PleTKWHNwDA',
    );
  });

  it('should give the registration of a key a different type from a vote', () => {
    const jws = signed(keyToSign(KEY));
    expect(part(jws, 0)).to.equal(`{"alg":"EdDSA","kid":"${KEY_ID}","typ":"countersign-signing-key+jws"}`);
    expect(JSON.parse(part(jws, 1))).to.deep.equal(KEY);
    expect(jws.split('.')[2]).to.equal(
      '1jsb_e57ulw8uI0bSGH2YBJntS0CbWb4ptOTd13Lx9y-R_C_zvDjgtvRAawP7ZePD6UYHdnS_gZUPN6Uix67Dw',
    );
  });

  it('should produce signatures over header and payload that any JOSE library can verify', () => {
    const [header, payload, signature = ''] = signed(voteToSign(VOTE)).split('.');
    const key = createPublicKey({ key: { kty: JWK.kty, crv: JWK.crv, x: JWK.x }, format: 'jwk' });
    expect(verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))).to.equal(true);
  });

  it('should encode all byte values as base64url without padding', () => {
    for (const length of [0, 1, 2, 3, 64, 256]) {
      const bytes = Uint8Array.from({ length }, (_, index) => 255 - index);
      expect(base64url(bytes)).to.equal(Buffer.from(bytes).toString('base64url'));
    }
  });
});
