import { expect } from 'chai';
import { Secret } from './secret.js';

describe('secret', () => {
  it('should accept the value before for as long as that is valid', () => {
    const rotated = new Secret('new', { value: 'old', validUntil: 1_000 });

    expect(rotated.accepted(999)).to.eql(['new', 'old']);
    expect(rotated.accepted(1_000)).to.eql(['new']);
  });

  it('should accept nothing where it is not set, whatever it was before', () => {
    expect(new Secret('').accepted(0)).to.eql([]);
    expect(new Secret('', { value: 'old', validUntil: 1_000 }).accepted(0)).to.eql([]);
    expect(new Secret('new', { value: '', validUntil: 1_000 }).accepted(0)).to.eql(['new']);
  });
});
