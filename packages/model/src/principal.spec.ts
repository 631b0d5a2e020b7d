import { expect } from 'chai';
import { matchesName, toRecordedActor, type Actor } from './principal.js';

const ada: Actor = { type: 'user', id: 'U-1', name: 'Ada', userNames: ['Ada@Example.com', 'alovelace'], groups: ['x'] };

describe('matchesName', () => {
  it('should match people by id and, case-insensitively, by user name', () => {
    for (const name of ['U-1', 'Ada@Example.com', 'ada@example.com', 'ADA@EXAMPLE.COM', 'ALovelace'])
      expect(matchesName(ada, name), name).to.equal(true);
    for (const name of ['u-1', 'Ada', 'ada@example.co', 'ada@example.com ', '', '\u0130da@example.com'])
      expect(matchesName(ada, name), name).to.equal(false);
    expect(matchesName({ id: 'U-1' }, 'Ada@Example.com')).to.equal(false);
  });

  it('should fold only ASCII letters, as the database does', () => {
    expect(matchesName({ id: 'x', userNames: ['\u00c4da'] }, '\u00e4da')).to.equal(false);
    expect(matchesName({ id: 'x', userNames: ['k'] }, '\u212a')).to.equal(false);
  });
});

describe('toRecordedActor', () => {
  it('should keep the first user name, and leave recorded actors unchanged', () => {
    const recorded = { type: 'user', id: 'U-1', name: 'Ada', userName: 'Ada@Example.com' };
    expect(toRecordedActor(ada)).to.deep.equal(recorded);
    expect(toRecordedActor(toRecordedActor(ada))).to.deep.equal(recorded);
    expect(toRecordedActor({ type: 'user', id: 'U-1', name: null, userNames: [] })).to.deep.equal({
      type: 'user',
      id: 'U-1',
      name: null,
    });
  });
});
