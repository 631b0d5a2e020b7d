import { expect } from 'chai';
import { JsonEndFinder } from './json-end-finder.js';

describe('JsonEndFinder', () => {
  /** Returns the end of the value if its text arrives in chunks of `size` bytes. */
  const findEnd = (text: string, size: number): number | undefined => {
    const bytes = Buffer.from(text);
    const finder = new JsonEndFinder();
    for (let offset = 0; offset < bytes.length; offset += size) {
      const length = finder.push(bytes.subarray(offset, offset + size));
      if (length !== undefined) return offset + length;
    }
    return undefined;
  };

  for (const value of [
    '{}',
    '[]',
    ' \r\n\t{"a":[1,{"b":"}]"}],"c":"\\"}","d":"\\\\"}',
    '\ufeff[{"wörld":"😀 ]"},"{"]',
  ]) {
    it(`should find the end of ${JSON.stringify(value)} for any chunk size`, () => {
      const bytes = Buffer.byteLength(value);
      for (let size = 1; size <= bytes + 3; size += 1) {
        expect(findEnd(value, size), `chunks of ${size} bytes`).to.equal(bytes);
        expect(findEnd(`${value}\n{}`, size), `chunks of ${size} bytes, with more data after the value`).to.equal(
          bytes,
        );
        expect(findEnd(value.slice(0, -1), size), `chunks of ${size} bytes, incomplete`).to.equal(undefined);
      }
    });
  }

  for (const text of ['', '"{}"', '7', 'oops {}', ']', '<p>{}</p>']) {
    it(`should not find an end in ${JSON.stringify(text)}`, () => {
      expect(findEnd(text, 100)).to.equal(undefined);
      expect(findEnd(text, 1)).to.equal(undefined);
    });
  }
});
