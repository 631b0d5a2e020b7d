import { expect } from 'chai';
import { LineReader, LineTooLongError } from './line-reader.js';

describe('LineReader', () => {
  const readAll = (reader: LineReader): string[] => {
    const lines: string[] = [];
    for (let line = reader.next(); line !== undefined; line = reader.next()) lines.push(line);
    return lines;
  };

  it('should return the same lines for any chunk size', () => {
    // given
    const bytes = Buffer.from('first\r\n\nthird: wörld\nno end');

    for (let size = 1; size <= bytes.length; size += 1) {
      // when
      const reader = new LineReader(100);
      const lines: string[] = [];
      for (let offset = 0; offset < bytes.length; offset += size) {
        reader.push(bytes.subarray(offset, offset + size));
        lines.push(...readAll(reader));
      }

      // then
      expect(lines, `chunks of ${size} bytes`).to.eql(['first', '', 'third: wörld']);
    }
  });

  it('should refuse a message that is too long, complete or not', () => {
    for (const text of [
      `{${'x'.repeat(10)}`,
      ` \t{${'x'.repeat(8)}\n`,
      `[ {${'x'.repeat(8)}`,
      `\ufeff{${'x'.repeat(8)}`,
    ]) {
      const reader = new LineReader(10);
      reader.push(Buffer.from(`{${'x'.repeat(9)}\n`));
      reader.push(Buffer.from(text));

      expect(reader.next()).to.have.length(10);
      expect(() => reader.next()).to.throw(LineTooLongError);
    }
  });

  it('should truncate a long line that is not a message, and continue with the next line', () => {
    const reader = new LineReader(1_000);
    for (let part = 0; part < 15; part += 1) reader.push(Buffer.from('x'.repeat(1_000)));
    reader.push(Buffer.from('\nnext\n'));

    const lines = readAll(reader);

    expect(lines).to.have.length(2);
    expect(lines[0]).to.match(/^x+$/).and.to.have.length.within(1_000, 3_000);
    expect(lines[1]).to.equal('next');
  });

  for (const lineStart of ['[INFO] ', '[2026-01-05] {', '\ufeff', ' '.repeat(2_000)]) {
    it(`should skip a line of any length that starts with ${JSON.stringify(lineStart.slice(0, 20))}`, () => {
      const reader = new LineReader(1_000);
      reader.push(Buffer.from(lineStart));
      for (let part = 0; part < 100; part += 1) {
        reader.push(Buffer.from('x'.repeat(1_000)));
        expect(reader.next()).to.equal(undefined);
      }

      reader.push(Buffer.from('\n{}\n'));

      expect(readAll(reader).at(-1)).to.equal('{}');
    });
  }
});
