import { expect } from 'chai';
import { Secret } from './secret.js';

describe('Secret', () => {
  it('should accept the previous value until it expires', () => {
    const rotatedSecret = new Secret('new', { value: 'old', validUntil: 1_000 });

    expect(rotatedSecret.acceptedValues(999)).to.eql(['new', 'old']);
    expect(rotatedSecret.acceptedValues(1_000)).to.eql(['new']);
  });

  it('should accept nothing when it is not set, even if it has a previous value', () => {
    expect(new Secret('').acceptedValues(0)).to.eql([]);
    expect(new Secret('', { value: 'old', validUntil: 1_000 }).acceptedValues(0)).to.eql([]);
    expect(new Secret('new', { value: '', validUntil: 1_000 }).acceptedValues(0)).to.eql(['new']);
  });
});
