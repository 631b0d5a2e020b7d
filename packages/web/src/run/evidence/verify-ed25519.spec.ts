import { expect } from 'chai';
import { verifyEd25519 } from './verify-ed25519.js';

const decodeHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

/** RFC 8032, section 7.1, test 2. */
const SIGNATURE = {
  publicKey: 'PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw',
  signedBytes: decodeHex('72'),
  signature: decodeHex(
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da' +
      '085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ),
};

describe('verifyEd25519()', () => {
  it('should accept the signature of a test vector', async () => {
    expect(await verifyEd25519(SIGNATURE)).to.equal(true);
  });

  it('should refuse other bytes and an unusable key', async () => {
    expect(await verifyEd25519({ ...SIGNATURE, signedBytes: decodeHex('73') })).to.equal(false);
    expect(await verifyEd25519({ ...SIGNATURE, publicKey: 'AA' })).to.equal(false);
  });
});
