import { expect } from 'chai';
import { isCalled, recordedActor, type Actor } from './principal.js';

const ada: Actor = { type: 'user', id: 'U-1', name: 'Ada', userNames: ['Ada@Example.com', 'alovelace'], groups: ['x'] };

describe('isCalled', () => {
  it('should match people by id and, case-insensitively, by user name', () => {
    for (const name of ['U-1', 'Ada@Example.com', 'ada@example.com', 'ADA@EXAMPLE.COM', 'ALovelace'])
      expect(isCalled(ada, name), name).to.equal(true);
    for (const name of ['u-1', 'Ada', 'ada@example.co', 'ada@example.com ', '', '\u0130da@example.com'])
      expect(isCalled(ada, name), name).to.equal(false);
    expect(isCalled({ id: 'U-1' }, 'Ada@Example.com')).to.equal(false);
  });

  it('should fold only ASCII letters, as the database does', () => {
    expect(isCalled({ id: 'x', userNames: ['\u00c4da'] }, '\u00e4da')).to.equal(false);
    expect(isCalled({ id: 'x', userNames: ['k'] }, '\u212a')).to.equal(false);
  });
});

describe('recordedActor', () => {
  it('should keep the usual user name, also of recorded actors', () => {
    const recorded = { type: 'user', id: 'U-1', name: 'Ada', userName: 'Ada@Example.com' };
    expect(recordedActor(ada)).to.deep.equal(recorded);
    expect(recordedActor(recordedActor(ada))).to.deep.equal(recorded);
    expect(recordedActor({ type: 'user', id: 'U-1', name: null, userNames: [] })).to.deep.equal({
      type: 'user',
      id: 'U-1',
      name: null,
    });
  });
});
