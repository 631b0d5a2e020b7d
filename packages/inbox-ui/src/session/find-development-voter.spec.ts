import type { DevelopmentUser, Role } from '@countersign/contract';
import { expect } from 'chai';
import { findDevelopmentVoter } from './find-development-voter.js';

const createUser = (subject: string, role: Role, groups: string[] = []): DevelopmentUser => ({
  subject,
  name: null,
  role,
  groups,
});

const USERS = [
  createUser('ann', 'operator'),
  createUser('bob', 'approver'),
  createUser('carol', 'approver', ['treasury']),
  createUser('alice', 'admin'),
];

type Voted = Parameters<typeof findDevelopmentVoter>[0];

const NOBODY: Voted = { candidateUsers: [], candidateGroups: [], requestedBy: 'ann', votes: [], delegations: [] };

const find = (approval: Partial<Voted>, caller = 'ann'): DevelopmentUser | undefined =>
  findDevelopmentVoter({ ...NOBODY, ...approval }, USERS, caller);

describe('session: the development user who can decide', () => {
  it('should be an approver other than the caller and those who contributed', () => {
    expect(find({})?.subject).to.equal('bob');
    expect(find({}, 'bob')?.subject).to.equal('carol');
    expect(find({ requestedBy: 'bob' })?.subject).to.equal('carol');
    expect(find({ excludedUsers: ['bob', 'carol'] })?.subject).to.equal('alice');
  });

  it('should be a candidate, by name or by group, who has not voted', () => {
    // given
    const vote = { by: 'carol' } as Voted['votes'][number];

    // when, then
    expect(find({ candidateUsers: ['alice'] })?.subject).to.equal('alice');
    expect(find({ candidateGroups: ['treasury'] })?.subject).to.equal('carol');
    expect(find({ votes: [{ ...vote, by: 'bob' }, vote] })?.subject).to.equal('alice');
  });

  it('should become a candidate if none of the users is one', () => {
    expect(find({ candidateUsers: ['zoe'] })).to.deep.equal(createUser('zoe', 'approver'));
    expect(find({ candidateGroups: ['board'] })).to.deep.equal(createUser('bob', 'approver', ['board']));
    expect(findDevelopmentVoter(NOBODY, [], 'ann')).to.be.undefined;
  });
});
