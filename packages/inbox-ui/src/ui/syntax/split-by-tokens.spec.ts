import { expect } from 'chai';
import { splitByTokens } from './split-by-tokens.js';

describe('splitByTokens', () => {
  it('should split parts where tokens end, and tokens where parts end', () => {
    expect(
      splitByTokens(
        ['const o', 'ne = 1;'],
        [
          { end: 5, kind: 'keyword' },
          { end: 6, kind: undefined },
          { end: 9, kind: 'name' },
          { end: 12, kind: undefined },
          { end: 13, kind: 'number' },
        ],
      ),
    ).to.deep.equal([
      [
        { text: 'const', kind: 'keyword' },
        { text: ' ', kind: undefined },
        { text: 'o', kind: 'name' },
      ],
      [
        { text: 'ne', kind: 'name' },
        { text: ' = ', kind: undefined },
        { text: '1', kind: 'number' },
        { text: ';', kind: undefined },
      ],
    ]);
  });

  it('should keep text without tokens, and nothing of empty parts', () => {
    expect(splitByTokens(['', 'one', ''], [])).to.deep.equal([[], [{ text: 'one', kind: undefined }], []]);
    expect(splitByTokens(['a', 'b'], [{ end: 9, kind: 'string' }])).to.deep.equal([
      [{ text: 'a', kind: 'string' }],
      [{ text: 'b', kind: 'string' }],
    ]);
  });
});
