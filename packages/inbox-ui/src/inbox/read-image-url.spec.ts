import { expect } from 'chai';
import { readImageUrl } from './read-image-url.js';

const toUrl = (type: string, start: string): string => `data:${type};base64,${btoa(start + '\u0000'.repeat(20))}`;

const STARTS = [
  ['image/png', '\u0089PNG\r\n\u001a\n'],
  ['image/jpeg', '\u00ff\u00d8\u00ff\u00e0'],
  ['image/gif', 'GIF89a'],
  ['image/webp', 'RIFF\u0010\u0000\u0000\u0000WEBPVP8 '],
  ['image/avif', '\u0000\u0000\u0000\u001cftypmif1\u0000\u0000\u0000\u0000avif'],
] as const;

describe('readImageUrl', () => {
  for (const [type, start] of STARTS) {
    it(`should read ${type}`, () => {
      const image = readImageUrl(toUrl(type, start));
      expect(image?.type).to.equal(type);
      expect(image?.bytes.length).to.equal(start.length + 20);
      expect(String.fromCharCode(...(image?.bytes ?? [])).startsWith(start)).to.equal(true);
    });

    it(`should refuse ${type} with the bytes of other types`, () => {
      for (const [otherType, otherStart] of STARTS)
        if (otherType !== type) expect(readImageUrl(toUrl(type, otherStart)), otherType).to.equal(undefined);
    });
  }

  for (const [description, text] of [
    ['SVG', toUrl('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['text after the data', `${toUrl(...STARTS[0])} x`],
    ['text before the data', ` ${toUrl(...STARTS[0])}`],
    ['a line break in the data', toUrl(...STARTS[0]).replace('AAAA', 'AA\nAA')],
    ['malformed base64', 'data:image/png;base64,iVBORw0KGgo=A'],
    ['a wrong length', 'data:image/png;base64,iVBORw0KG'],
    ['no data', 'data:image/png;base64,'],
    ['an address', 'https://example.com/a.png'],
    ['parameters', toUrl('image/png;charset=utf-8', STARTS[0][1])],
  ] as const)
    it(`should not read ${description}`, () => {
      expect(readImageUrl(text)).to.equal(undefined);
    });
});
