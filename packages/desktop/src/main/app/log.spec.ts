import { expect } from 'chai';
import { withoutSecrets } from './log.js';

describe('withoutSecrets', () => {
  it('should remove tokens, codes and query strings', () => {
    const text = withoutSecrets(
      'GET https://issuer.example/cb?code=abc&state=x failed with Bearer abc.def for eyJhbGciOi.eyJzdWIi.c2ln',
    );
    expect(text).to.equal('GET https://issuer.example/cb?… failed with Bearer … for …');
    expect(withoutSecrets(`key ${'a'.repeat(43)}`)).to.equal('key …');
  });

  it('should not change ordinary text', () => {
    expect(withoutSecrets('Error: The response was interrupted.')).to.equal('Error: The response was interrupted.');
  });
});
