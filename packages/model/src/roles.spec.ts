import { expect } from 'chai';
import { hasRole, highestRole, ROLES } from './roles.js';

describe('roles', () => {
  it('should let each role do what the lesser ones may, and no more', () => {
    for (const [i, actual] of ROLES.entries()) {
      for (const [j, least] of ROLES.entries()) {
        expect(hasRole(actual, least), `${actual} for ${least}`).to.equal(i >= j);
      }
    }
  });

  it('should let nobody do only what is open to all', () => {
    expect(hasRole(undefined, 'anonymous')).to.be.true;
    expect(hasRole(undefined, 'viewer')).to.be.false;
  });

  it('should count the highest of several roles, and none that is unknown', () => {
    expect(highestRole(['viewer', 'root', 'approver', 7])).to.equal('approver');
    expect(highestRole(['root'])).to.be.undefined;
  });
});
