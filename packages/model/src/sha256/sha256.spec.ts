import { expect } from 'chai';
import fc from 'fast-check';
import { sha256Hex } from './node.js';
import { sha256Hex as portableSha256Hex } from './portable.js';

describe('SHA-256', () => {
  it('should match FIPS 180-4 in lower-case hex', () => {
    expect(sha256Hex('abc')).to.equal('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('should match between browsers and Node.js', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => portableSha256Hex(text) === sha256Hex(text)),
    );
  });
});
