import { expect } from 'chai';
import { isRolledBack } from './refusals.js';

describe('isRolledBack', () => {
  const failure = (members: object): Error => Object.assign(new Error('failed'), members);

  for (const code of ['23505', '40001', '53100', 'XX000', 'P0001']) {
    it(`should be sure of SQLSTATE ${code}`, () => {
      expect(isRolledBack(failure({ code }))).to.equal(true);
    });
  }

  for (const code of ['08006', '57P01']) {
    it(`should leave the outcome open after SQLSTATE ${code}`, () => {
      expect(isRolledBack(failure({ code }))).to.equal(false);
    });
  }

  for (const code of ['EPIPE', 'ECONNRESET']) {
    it(`should leave the outcome open after the error ${code} of the operating system`, () => {
      expect(isRolledBack(failure({ code, errno: -32, syscall: 'write' }))).to.equal(false);
    });
  }

  it('should leave the outcome open after anything else', () => {
    for (const error of [undefined, 'failed', new Error('failed'), failure({ code: 23505 })])
      expect(isRolledBack(error)).to.equal(false);
  });
});
