import { expect } from 'chai';
import { isPermanent, isRolledBack } from './database-errors.js';

const createError = (properties: object): Error => Object.assign(new Error('failed'), properties);

describe('isRolledBack', () => {
  for (const code of ['23505', '40001', '53100', 'XX000', 'P0001']) {
    it(`should treat SQLSTATE ${code} as rolled back`, () => {
      expect(isRolledBack(createError({ code }))).to.equal(true);
    });
  }

  for (const code of ['08006', '57P01']) {
    it(`should treat the outcome as unknown after SQLSTATE ${code}`, () => {
      expect(isRolledBack(createError({ code }))).to.equal(false);
    });
  }

  for (const code of ['EPIPE', 'ECONNRESET']) {
    it(`should treat the outcome as unknown after the error ${code} of the operating system`, () => {
      expect(isRolledBack(createError({ code, errno: -32, syscall: 'write' }))).to.equal(false);
    });
  }

  it('should treat the outcome as unknown after any other error', () => {
    for (const error of [undefined, 'failed', new Error('failed'), createError({ code: 23505 })])
      expect(isRolledBack(error)).to.equal(false);
  });
});

describe('isPermanent', () => {
  for (const code of ['21000', '22007', '22P05', '23502', '23505', '23514', '44000', '54000', '54001']) {
    it(`should treat SQLSTATE ${code} as permanent`, () => {
      expect(isPermanent(createError({ code }))).to.equal(true);
    });
  }

  for (const code of [
    '08006',
    '25006',
    '40001',
    '40P01',
    '42501',
    '53100',
    '53300',
    '55P03',
    '57P01',
    '58030',
    'XX000',
  ]) {
    it(`should treat SQLSTATE ${code} as transient`, () => {
      expect(isPermanent(createError({ code }))).to.equal(false);
    });
  }

  it('should treat everything else as transient', () => {
    for (const error of [undefined, 'failed', new Error('failed'), createError({ code: '22EIO', syscall: 'read' })])
      expect(isPermanent(error)).to.equal(false);
  });
});
