import { expect } from 'chai';
import { verifyBodySignature } from './verify-body-signature.js';

/** RFC 4231, test case 2. */
const BODY = Buffer.from('what do ya want for nothing?');
const DIGEST = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';

describe('verifyBodySignature()', () => {
  it('should return the digest of a signature by any of the secrets', () => {
    expect(verifyBodySignature(BODY, `sha256=${DIGEST}`, ['Jefe'], 1)).to.equal(DIGEST);
    expect(verifyBodySignature(BODY, `sha256=${DIGEST}`, ['new', 'Jefe'], 2)).to.equal(DIGEST);
    expect(verifyBodySignature(BODY, `sha256=${DIGEST}`, ['Jefe', 'old'], 5)).to.equal(DIGEST);
    expect(verifyBodySignature(BODY, `sha256=${DIGEST.toUpperCase()}`, ['Jefe'], 1), 'in upper case').to.equal(DIGEST);
  });

  it('should return undefined for an invalid signature', () => {
    for (const secrets of [[], ['jefe'], ['']])
      expect(verifyBodySignature(BODY, `sha256=${DIGEST}`, secrets, 3)).to.equal(undefined);
    for (const header of [
      undefined,
      '',
      'sha256=',
      DIGEST,
      `SHA256=${DIGEST}`,
      `sha256=${DIGEST}\n`,
      ` sha256=${DIGEST}`,
      `sha1=${DIGEST}`,
    ]) {
      expect(verifyBodySignature(BODY, header, ['Jefe'], 1), header).to.equal(undefined);
    }
    expect(verifyBodySignature(Buffer.concat([BODY, Buffer.from(' ')]), `sha256=${DIGEST}`, ['Jefe'], 1)).to.equal(
      undefined,
    );
  });

  it('should return undefined without a header, even if there is no secret', () => {
    // Without a header, the digest is compared with a dummy key.
    expect(verifyBodySignature(BODY, undefined, [], 1)).to.equal(undefined);
    expect(verifyBodySignature(Buffer.alloc(0), undefined, [''], 1)).to.equal(undefined);
  });
});
