import { expect } from 'chai';
import { hasRole, findHighestRole, ROLES } from './roles.js';

describe('roles', () => {
  it('should give each role the permissions of the lower roles and no others', () => {
    for (const [i, actualRole] of ROLES.entries()) {
      for (const [j, requiredRole] of ROLES.entries()) {
        expect(hasRole(actualRole, requiredRole), `${actualRole} for ${requiredRole}`).to.equal(i >= j);
      }
    }
  });

  it('should give anonymous callers only public permissions', () => {
    expect(hasRole(undefined, 'anonymous')).to.be.true;
    expect(hasRole(undefined, 'viewer')).to.be.false;
  });

  it('should use the highest of several roles and ignore unknown ones', () => {
    expect(findHighestRole(['viewer', 'root', 'approver', 7])).to.equal('approver');
    expect(findHighestRole(['root'])).to.be.undefined;
  });
});
