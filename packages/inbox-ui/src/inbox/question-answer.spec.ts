import { expect } from 'chai';
import { answerKind } from './question-answer.js';

describe('inbox: input for the answer to a question', () => {
  it('should depend on the options and the answer schema of the question', () => {
    expect(answerKind({ options: ['a'], answerSchema: null })).to.equal('options');
    expect(answerKind({ options: null, answerSchema: null })).to.equal('text');
    expect(answerKind({ options: null, answerSchema: { type: 'string' } })).to.equal('text');
    expect(answerKind({ options: null, answerSchema: { type: 'string', enum: ['a'] } })).to.equal('json');
    expect(answerKind({ options: null, answerSchema: { type: 'object' } })).to.equal('json');
  });
});
