import { expect } from 'chai';
import { diffTexts, foldUnchanged, MAX_DIFF_LINES, type DiffRow, type Unfolded } from './diff-rows.js';

const formatRow = ({ before, after, same }: DiffRow): string =>
  `${same ? '=' : '!'}${before?.line ?? '-'}/${after?.line ?? '-'} ${[before, after].map((side) => (side?.parts ?? []).map(({ text, changed }) => (changed ? `[${text}]` : text)).join('')).join(' | ')}`;

describe('text diff', () => {
  it('should pair changed lines and mark their changed words', () => {
    // when
    const diff = diffTexts('one\ntwo is here\nthree\n', 'one\ntwo was here\nthree\nfour\n');
    // then
    expect(diff.rows.map(formatRow)).to.deep.equal([
      '=1/1 one | one',
      '!2/2 two [is] here | two [was] here',
      '=3/3 three | three',
      '!-/4  | four',
    ]);
    expect([diff.added, diff.removed, diff.cut, diff.tooDifferent]).to.deep.equal([2, 1, false, false]);
  });

  it('should mark no words if the lines have almost nothing in common', () => {
    expect(diffTexts('alpha beta gamma', 'red').rows.map(formatRow)).to.deep.equal(['!1/1 alpha beta gamma | red']);
  });

  it('should stop comparing words once enough characters were compared', () => {
    // given
    const buildText = (word: string): string =>
      Array.from({ length: 400 }, (_, index) => `${index} ${'same '.repeat(380)}${word}`).join('\n');
    // when
    const { rows } = diffTexts(buildText('one'), buildText('two'));
    // then
    const marked = rows.filter((row) => row.after?.parts.some(({ changed }) => changed));
    expect(marked.length).to.be.within(70, 90);
    expect(rows.length).to.equal(400);
  });

  it('should find no difference between equal texts, and mark every line as added to an empty text', () => {
    expect(diffTexts('a\nb', 'a\nb')).to.include({ added: 0, removed: 0 });
    expect(diffTexts('', 'a\nb').rows.map(formatRow)).to.deep.equal(['!-/1  | a', '!-/2  | b']);
  });

  it('should stop matching texts that have nothing in common and compare at most MAX_DIFF_LINES lines', () => {
    // given
    const buildText = (name: string): string =>
      Array.from({ length: MAX_DIFF_LINES + 5 }, (_, i) => `${name} ${i}`).join('\n');
    // when
    const diff = diffTexts(buildText('left'), buildText('right'));
    // then
    expect([diff.tooDifferent, diff.cut, diff.rows.length]).to.deep.equal([true, true, MAX_DIFF_LINES]);
  });

  it('should fold equal lines, except around changes and in opened folds', () => {
    // given
    const buildText = (word: string): string =>
      Array.from({ length: 30 }, (_, i) => (i === 15 ? word : `line ${i}`)).join('\n');
    const { rows } = diffTexts(buildText('a b c'), buildText('a b d'));
    const formatFolds = (unfolded: Readonly<Record<number, Unfolded>>): string[] =>
      foldUnchanged(rows, new Map(Object.entries(unfolded).map(([block, each]) => [Number(block), each]))).map(
        (line) =>
          'row' in line
            ? `${line.index}`
            : 'fold' in line
              ? `${line.fold.block}: ${line.fold.from}..${line.fold.to}`
              : '',
      );
    const changed = ['12', '13', '14', '15', '16', '17', '18'];

    // when, then
    expect(formatFolds({})).to.deep.equal(['0: 0..12', ...changed, '19: 19..30']);
    expect(formatFolds({ 0: { start: 12, end: 0 } })).to.have.length(30 - 11 + 1);
    expect(formatFolds({ 0: { start: 0, end: 2 }, 19: { start: 1, end: 0 } })).to.deep.equal([
      '0: 0..10',
      '10',
      '11',
      ...changed,
      '19',
      '19: 20..30',
    ]);
    // A fold would take as much space as the only row that it hides.
    expect(
      foldUnchanged(diffTexts('a\nb\nc\nd\ne', 'a\nb\nc\nd\nx').rows, new Map()).every((line) => 'row' in line),
    ).to.equal(true);
    // One row that remains stays folded; more rows than there are unfold all.
    expect(formatFolds({ 19: { start: 10, end: 0 } })).to.include('19: 29..30');
    expect(formatFolds({ 19: { start: 20, end: 20 } })).to.have.length(1 + 7 + 11);
  });
});
