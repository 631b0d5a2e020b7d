import { expect } from 'chai';
import fc from 'fast-check';
import { decodeBase64Url, encodeBase64Url } from './base64-url.js';

describe('base64url', () => {
  it('should encode and decode the same bytes as Node.js', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 100 }), (bytes) => {
        const text = encodeBase64Url(bytes);
        expect(text).to.equal(Buffer.from(bytes).toString('base64url'));
        expect([...(decodeBase64Url(text) ?? [])]).to.deep.equal([...bytes]);
      }),
    );
  });

  for (const text of ['', 'A', 'AA==', 'AB', 'A A', '+/+/', 'AAAAA', 'é']) {
    it(`should refuse ${JSON.stringify(text)}, which is not the only encoding of any bytes`, () =>
      expect(decodeBase64Url(text)).to.equal(undefined));
  }
});
