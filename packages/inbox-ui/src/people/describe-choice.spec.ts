import { expect } from 'chai';
import { isNameOfChoice, matchesSearch, toGroupChoice, toUserChoice } from './describe-choice.js';

const noObstacle = (): undefined => undefined;

describe('toUserChoice', () => {
  it('should name a user by the user name if there is one, and otherwise by the id', () => {
    const user = { id: 'u-1', name: 'Ada King', userName: 'ada@example.com', mayDecide: true };
    expect(toUserChoice(user, noObstacle)).to.deep.equal({
      value: 'ada@example.com',
      otherNames: ['u-1'],
      name: 'Ada King',
      detail: 'ada@example.com',
      obstacle: undefined,
    });
    expect(toUserChoice({ ...user, userName: null }, noObstacle)).to.include({ value: 'u-1', detail: 'u-1' });
    expect(toUserChoice({ ...user, name: null }, noObstacle)).to.include({ name: 'ada@example.com', detail: '' });
  });

  it('should state why a user cannot be chosen, first of all their role', () => {
    const user = { id: 'vera', name: null, userName: null, mayDecide: false };
    expect(toUserChoice(user, () => 'Other').obstacle).to.equal('Cannot decide');
    expect(toUserChoice({ ...user, mayDecide: true }, () => 'Other').obstacle).to.equal('Other');
  });

  it('should not let a name break out of its line', () => {
    const user = { id: 'eve', name: 'Eve\n(admin)', userName: null, mayDecide: true };
    expect(toUserChoice(user, noObstacle).name).not.to.contain('\n');
  });
});

describe('toGroupChoice', () => {
  it('should say how many people in the group can decide', () => {
    expect(toGroupChoice({ name: 'board', deciders: 1 }).detail).to.equal('1 person can decide');
    expect(toGroupChoice({ name: 'board', deciders: 0 }).detail).to.equal('0 people can decide');
  });
});

describe('matchesSearch', () => {
  it('should compare all words with what is shown, in any case', () => {
    const choice = { value: 'u-1', otherNames: [], name: 'Zoë Öztürk', detail: 'zoe@example.com', obstacle: undefined };
    expect(matchesSearch(choice, 'öztürk ZOE@')).to.equal(true);
    expect(matchesSearch(choice, '')).to.equal(true);
    expect(matchesSearch(choice, 'zoë nobody')).to.equal(false);
  });
});

describe('isNameOfChoice', () => {
  it('should compare the id, and the user name without regard to case', () => {
    const choice = toUserChoice({ id: 'U-1', name: 'Ada', userName: 'ada@example.com', mayDecide: true }, noObstacle);
    expect(['U-1', 'ADA@example.com'].map((text) => isNameOfChoice(choice, text))).to.deep.equal([true, true]);
    expect(['u-1', 'Ada', 'ada', ''].map((text) => isNameOfChoice(choice, text))).to.deep.equal([
      false,
      false,
      false,
      false,
    ]);
  });
});
