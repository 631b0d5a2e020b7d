import { expect } from 'chai';
import { answerKind, answerOf } from './question-answer.js';

describe('questions: the answer', () => {
  it('should be asked for as the question wants it', () => {
    expect(answerKind({ options: ['a'], answerSchema: null })).to.equal('options');
    expect(answerKind({ options: null, answerSchema: null })).to.equal('text');
    expect(answerKind({ options: null, answerSchema: { type: 'string' } })).to.equal('text');
    expect(answerKind({ options: null, answerSchema: { type: 'object' } })).to.equal('json');
  });

  it('should be what was written, or none', () => {
    expect(answerOf('text', 'Yes.')).to.equal('Yes.');
    expect(answerOf('text', ' \n')).to.equal(undefined);
    expect(answerOf('json', '{"a":[1]}')).to.deep.equal({ a: [1] });
    expect(answerOf('json', 'null')).to.equal(null);
    expect(answerOf('json', '{')).to.equal(undefined);
  });
});
