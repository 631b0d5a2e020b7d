import { expect } from 'chai';
import { LineReader, LineTooLong } from './line-reader.js';

describe('LineReader', () => {
  const all = (reader: LineReader): string[] => {
    const lines: string[] = [];
    for (let line = reader.next(); line !== undefined; line = reader.next()) lines.push(line);
    return lines;
  };

  it('should give the same lines wherever the stream is cut', () => {
    // given
    const bytes = Buffer.from('first\r\n\nthird: wörld\nno end');

    for (let size = 1; size <= bytes.length; size += 1) {
      // when
      const reader = new LineReader(100);
      const lines: string[] = [];
      for (let at = 0; at < bytes.length; at += size) {
        reader.push(bytes.subarray(at, at + size));
        lines.push(...all(reader));
      }

      // then
      expect(lines, `cut to ${size}`).to.eql(['first', '', 'third: wörld']);
    }
  });

  it('should refuse a line that is too long, complete or not', () => {
    for (const text of ['x'.repeat(11), `${'x'.repeat(11)}\n`]) {
      const reader = new LineReader(10);
      reader.push(Buffer.from(`${'x'.repeat(10)}\n`));
      reader.push(Buffer.from(text));

      expect(reader.next()).to.have.length(10);
      expect(() => reader.next()).to.throw(LineTooLong);
    }
  });
});
