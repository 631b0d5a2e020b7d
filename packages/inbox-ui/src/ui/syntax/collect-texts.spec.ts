import { expect } from 'chai';
import { parsePatch } from '../parse-patch.js';
import { collectTexts } from './collect-texts.js';

const collect = (...lines: string[]) =>
  parsePatch(lines.join('\n')).flatMap((file) =>
    collectTexts(file.lines).map(({ lines: textLines, isFromStart }) => ({
      texts: textLines.map(({ text }) => text),
      isFromStart,
    })),
  );

describe('collectTexts', () => {
  it('should return the sides of each hunk, and whether they are the start of the file', () => {
    expect(
      collect('--- a/x', '+++ b/x', '@@ -1,2 +1,2 @@', ' a', '-b', '+c', '@@ -8,2 +8,1 @@', ' d', '-e'),
    ).to.deep.equal([
      { texts: ['a', 'b'], isFromStart: true },
      { texts: ['a', 'c'], isFromStart: true },
      { texts: ['d', 'e'], isFromStart: false },
      { texts: ['d'], isFromStart: false },
    ]);
  });

  it('should return both sides of a merge, and whether they are the start of the file', () => {
    const header = ['diff --cc x', '--- a/x', '+++ b/x'];
    expect(collect(...header, '@@@ -1,1 -1,1 +1,2 @@@', '  a', '++b')).to.deep.equal([
      { texts: ['a'], isFromStart: true },
      { texts: ['a', 'b'], isFromStart: true },
    ]);
    expect(collect(...header, '@@@ -5,1 -5,1 +5,2 @@@', '  a', '++b')).to.deep.equal([
      { texts: ['a'], isFromStart: false },
      { texts: ['a', 'b'], isFromStart: false },
    ]);
  });
});
