import { expect } from 'chai';
import { JsonEnd } from './json-end.js';

describe('JsonEnd', () => {
  /** Returns the end of the value if its text arrives in chunks of `size` bytes. */
  const endOf = (text: string, size: number): number | undefined => {
    const bytes = Buffer.from(text);
    const end = new JsonEnd();
    for (let at = 0; at < bytes.length; at += size) {
      const length = end.push(bytes.subarray(at, at + size));
      if (length !== undefined) return at + length;
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
        expect(endOf(value, size), `cut to ${size}`).to.equal(bytes);
        expect(endOf(`${value}\n{}`, size), `cut to ${size}, with more behind`).to.equal(bytes);
        expect(endOf(value.slice(0, -1), size), `cut to ${size}, incomplete`).to.equal(undefined);
      }
    });
  }

  for (const text of ['', '"{}"', '7', 'oops {}', ']', '<p>{}</p>']) {
    it(`should not find an end in ${JSON.stringify(text)}`, () => {
      expect(endOf(text, 100)).to.equal(undefined);
      expect(endOf(text, 1)).to.equal(undefined);
    });
  }
});
