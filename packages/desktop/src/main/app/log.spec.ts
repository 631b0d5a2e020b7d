import { expect } from 'chai';
import { redactSecrets } from './log.js';

describe('redactSecrets', () => {
  it('should remove tokens, codes and query strings', () => {
    const text = redactSecrets(
      'GET https://issuer.example/cb?code=abc&state=x failed with Bearer abc.def for eyJhbGciOi.eyJzdWIi.c2ln',
    );
    expect(text).to.equal('GET https://issuer.example/cb?… failed with Bearer … for …');
    expect(redactSecrets(`key ${'a'.repeat(43)}`)).to.equal('key …');
  });

  it('should not change ordinary text', () => {
    expect(redactSecrets('Error: The response was interrupted.')).to.equal('Error: The response was interrupted.');
  });
});
