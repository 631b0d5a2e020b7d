import { expect } from 'chai';
import { compileExpression } from './index.js';

const UNPAIRED_SURROGATE = 'shop\ud83d';

function createEvaluation(source: string, variables: Record<string, unknown>): () => unknown {
  return () => compileExpression(source).evaluate({ variables: new Map(Object.entries(variables)), now: 0 });
}

describe('toJson', () => {
  for (const [title, source, variables] of [
    ['half of a surrogate pair', 'text + "!"', { text: UNPAIRED_SURROGATE }],
    ['the second half of a surrogate pair', 'text + "!"', { text: '\ude80' }],
    ['halves in the wrong order', 'text + "!"', { text: '\ude80\ud83d' }],
    ['a NUL character', 'text + "!"', { text: 'a\0b' }],
    ['half of a surrogate pair in a list', '[1, [text]]', { text: UNPAIRED_SURROGATE }],
    ['half of a surrogate pair in a context', '{a: {b: text}}', { text: UNPAIRED_SURROGATE }],
    ['half of a surrogate pair in a name', 'context([{key: text, value: 1}])', { text: UNPAIRED_SURROGATE }],
  ] as const) {
    it(`should refuse a result with ${title}`, () => {
      expect(createEvaluation(source, variables))
        .to.throw(/unpaired surrogate/)
        .with.property('code', 'feel_string_invalid');
    });
  }

  it('should escape the invalid string in the error message', () => {
    expect(createEvaluation('text + ""', { text: UNPAIRED_SURROGATE })).to.throw(String.raw`"shop\ud83d"`);
  });

  it('should join the two halves of a surrogate pair', () => {
    expect(createEvaluation('a + b', { a: UNPAIRED_SURROGATE, b: '\ude80' })()).to.equal('shop🚀');
  });
});
