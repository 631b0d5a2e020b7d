import { expect } from 'chai';
import { Secret } from './secret.js';

describe('Secret', () => {
  it('should accept the previous value until it expires', () => {
    const rotated = new Secret('new', { value: 'old', validUntil: 1_000 });

    expect(rotated.accepted(999)).to.eql(['new', 'old']);
    expect(rotated.accepted(1_000)).to.eql(['new']);
  });

  it('should accept nothing when it is not set, even if it has a previous value', () => {
    expect(new Secret('').accepted(0)).to.eql([]);
    expect(new Secret('', { value: 'old', validUntil: 1_000 }).accepted(0)).to.eql([]);
    expect(new Secret('new', { value: '', validUntil: 1_000 }).accepted(0)).to.eql(['new']);
  });
});
