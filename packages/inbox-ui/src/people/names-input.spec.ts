import { expect } from 'chai';
import { EMPTY_NAMES_INPUT, toNames, typeNames } from './names-input.js';

describe('typeNames', () => {
  it('should complete the names before each comma, without duplicates', () => {
    const input = typeNames(EMPTY_NAMES_INPUT, 'eve, fay ,eve, gu');
    expect(input).to.deep.equal({ names: ['eve', 'fay'], text: 'gu' });
    expect(typeNames(input, 'gus')).to.deep.equal({ names: ['eve', 'fay'], text: 'gus' });
    expect(typeNames(EMPTY_NAMES_INPUT, ' , ,')).to.deep.equal(EMPTY_NAMES_INPUT);
  });
});

describe('toNames', () => {
  it('should include what the user is typing', () => {
    expect(toNames({ names: ['eve'], text: ' fay ' })).to.deep.equal(['eve', 'fay']);
    expect(toNames({ names: ['eve'], text: 'eve' })).to.deep.equal(['eve']);
    expect(toNames(EMPTY_NAMES_INPUT)).to.deep.equal([]);
  });
});
