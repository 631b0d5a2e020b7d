import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { expect } from 'chai';
import type { VoteStatement } from '@countersign/model';
import {
  toBase64Url,
  buildKeySigningInput,
  buildSignedStatement,
  buildThumbprintInput,
  buildVoteSigningInput,
  type KeyStatement,
} from './statements.js';

/** RFC 8037, appendix A.1. */
const PRIVATE_JWK = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
} as const;
const KEY_ID = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k';
const VOTE_STATEMENT: VoteStatement = {
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
const KEY_STATEMENT: KeyStatement = {
  server: VOTE_STATEMENT.server,
  subject: 'ada "é" 😀',
  keyId: KEY_ID,
  at: VOTE_STATEMENT.at,
};

const signStatement = (bytes: Uint8Array): string =>
  buildSignedStatement(bytes, sign(null, bytes, createPrivateKey({ key: PRIVATE_JWK, format: 'jwk' })));
const decodePart = (jws: string, index: number): string =>
  Buffer.from(jws.split('.')[index] ?? '', 'base64url').toString('utf8');

describe('signed statements', () => {
  it('should identify a key by its thumbprint, as in RFC 8037, appendix A.3', () => {
    expect(createHash('sha256').update(buildThumbprintInput(PRIVATE_JWK)).digest('base64url')).to.equal(KEY_ID);
  });

  it('should serialise a vote in the same way regardless of the order of its members', () => {
    // when
    const jws = signStatement(
      buildVoteSigningInput(Object.fromEntries(Object.entries(VOTE_STATEMENT).reverse()) as unknown as VoteStatement),
    );

    // then
    expect(decodePart(jws, 0)).to.equal(`{"alg":"EdDSA","kid":"${KEY_ID}","typ":"countersign-vote+jws"}`);
    expect(decodePart(jws, 1)).to.equal(
      `{"approvalId":"${VOTE_STATEMENT.approvalId}","at":"${VOTE_STATEMENT.at}","commentDigest":null,"decision":"approve","keyId":"${KEY_ID}","round":1,` +
        `"runId":"${VOTE_STATEMENT.runId}","server":"${VOTE_STATEMENT.server}","subjectDigest":"${VOTE_STATEMENT.subjectDigest}"}`,
    );
    expect(jws.split('.')[2]).to.equal(
      'x7CNCGMnGZiL270AtZ-F_mDW8hoBnyMBpSZC7XsuiWym82LotMb3LOnIbAVctuH23YPlIAQw9m1PleTKWHNwDA',
    );
  });

  it('should give the registration of a key a `typ` that differs from that of a vote', () => {
    const jws = signStatement(buildKeySigningInput(KEY_STATEMENT));
    expect(decodePart(jws, 0)).to.equal(`{"alg":"EdDSA","kid":"${KEY_ID}","typ":"countersign-signing-key+jws"}`);
    expect(JSON.parse(decodePart(jws, 1))).to.deep.equal(KEY_STATEMENT);
    expect(jws.split('.')[2]).to.equal(
      '1jsb_e57ulw8uI0bSGH2YBJntS0CbWb4ptOTd13Lx9y-R_C_zvDjgtvRAawP7ZePD6UYHdnS_gZUPN6Uix67Dw',
    );
  });

  it('should produce signatures over header and payload that any JOSE library can verify', () => {
    const [header, payload, signature = ''] = signStatement(buildVoteSigningInput(VOTE_STATEMENT)).split('.');
    const key = createPublicKey({
      key: { kty: PRIVATE_JWK.kty, crv: PRIVATE_JWK.crv, x: PRIVATE_JWK.x },
      format: 'jwk',
    });
    expect(verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))).to.equal(true);
  });

  it('should encode all byte values as base64url without padding', () => {
    for (const length of [0, 1, 2, 3, 64, 256]) {
      const bytes = Uint8Array.from({ length }, (_, index) => 255 - index);
      expect(toBase64Url(bytes)).to.equal(Buffer.from(bytes).toString('base64url'));
    }
  });
});
