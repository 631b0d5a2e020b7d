import { expect } from 'chai';
import { getAnswerKind } from './answer-kind.js';

describe('getAnswerKind', () => {
  it('should return the kind of input that fits the options and the answer schema of the question', () => {
    expect(getAnswerKind({ options: ['a'], answerSchema: null })).to.equal('options');
    expect(getAnswerKind({ options: null, answerSchema: null })).to.equal('text');
    expect(getAnswerKind({ options: null, answerSchema: { type: 'string' } })).to.equal('text');
    expect(getAnswerKind({ options: null, answerSchema: { type: 'string', enum: ['a'] } })).to.equal('json');
    expect(getAnswerKind({ options: null, answerSchema: { type: 'object' } })).to.equal('json');
  });
});
