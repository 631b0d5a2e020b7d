import { expect } from 'chai';
import { ERROR_CODES, isErrorCode } from './error-codes.js';
import { problemType } from './problem-type.js';

describe('error codes', () => {
  it('should each be frozen and have a snake_case name and an error status', () => {
    expect(Object.isFrozen(ERROR_CODES)).to.be.true;
    for (const [code, info] of Object.entries(ERROR_CODES)) {
      expect(code).to.match(/^[a-z]+(_[a-z]+)*$/);
      expect(info.status, code).to.be.within(400, 599);
      expect(Object.isFrozen(info), code).to.be.true;
    }
  });

  it('should be recognized only if they are in the catalogue', () => {
    expect(isErrorCode('run_not_found')).to.be.true;
    expect(isErrorCode('toString')).to.be.false;
    expect(isErrorCode(undefined)).to.be.false;
  });

  it('should have a stable problem type', () => {
    expect(problemType('self_approval')).to.equal('urn:countersign:problem:self_approval');
  });
});
