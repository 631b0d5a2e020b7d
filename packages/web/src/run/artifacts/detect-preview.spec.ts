import { expect } from 'chai';
import { formatBytes } from './format-bytes.js';
import { detectPreview } from './detect-preview.js';

const toUtf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const fromHex = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const detectKind = (name: string, type: string, content: Uint8Array, isComplete = true): string =>
  detectPreview(name, type, content, isComplete).kind;

describe('detectPreview', () => {
  it('should recognize raster images by their bytes', () => {
    expect(detectPreview('x.txt', 'text/plain', fromHex('89504e470d0a1a0a00000000'), true)).to.deep.equal({
      kind: 'image',
      type: 'image/png',
    });
    expect(detectPreview('x', 'image/png', fromHex('ffd8ffe0'), true)).to.deep.equal({
      kind: 'image',
      type: 'image/jpeg',
    });
    expect(detectKind('x.gif', 'image/gif', toUtf8('GIF89a'))).to.equal('image');
    expect(detectKind('x.webp', 'image/webp', fromHex('52494646aabbccdd57454250'))).to.equal('image');
    expect(detectKind('x.webp', 'image/webp', fromHex('00000000aabbccdd57454250'))).to.equal('binary');
    expect(detectKind('big.png', 'image/png', fromHex('89504e470d0a1a0a00000000'), false)).to.equal('binary');
  });

  it('should show JSON as text if parsing would change a number', () => {
    expect(detectKind('a.json', 'application/json', toUtf8('{"account": 9007199254740991}'))).to.equal('json');
    expect(detectKind('a.json', 'application/json', toUtf8('{"account": 9007199254740993}'))).to.equal('text');
    expect(detectKind('a.json', 'application/json', toUtf8('[1e400]'))).to.equal('text');
  });

  it('should never render content that could run scripts, regardless of its name or type', () => {
    const svg = toUtf8('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
    for (const [name, type] of [
      ['a.svg', 'image/svg+xml'],
      ['a.png', 'image/png'],
      ['a.svg', 'text/plain'],
      ['a', 'image/svg+xml'],
    ] as const) {
      expect(detectKind(name, type, svg), `${name} ${type}`).to.be.oneOf(['source', 'text']);
    }
    expect(detectKind('a.html', 'application/octet-stream', toUtf8('<script>'))).to.equal('source');
    expect(detectKind('a.md', 'text/html', toUtf8('# hi'))).to.equal('source');
    expect(detectKind('a.json', 'application/xhtml+xml', toUtf8('{}'))).to.equal('source');
  });

  it('should choose the kind of a text by its type and name, and detect binary content', () => {
    expect(detectKind('a.md', 'text/plain', toUtf8('# x'))).to.equal('markdown');
    expect(detectKind('a', 'application/problem+json', toUtf8('{"a": 1}'))).to.equal('json');
    expect(detectKind('a.json', 'application/json', toUtf8('{"a": '))).to.equal('text');
    expect(detectKind('a.json', 'application/json', toUtf8('{"a": 1}'), false)).to.equal('text');
    expect(detectKind('a.patch', 'text/plain', toUtf8('--- a'))).to.equal('diff');
    expect(detectKind('a', 'text/plain', toUtf8('diff --git a b'))).to.equal('diff');
    expect(detectKind('a.csv', 'application/octet-stream', toUtf8('a,b'))).to.equal('csv');
    expect(detectKind('a', 'text/tab-separated-values', toUtf8('a\tb'))).to.equal('csv');
    expect(detectKind('a.txt', 'text/plain', fromHex('6100'))).to.equal('binary');
    expect(detectKind('a.txt', 'text/plain', fromHex('61ff'))).to.equal('binary');
  });

  it('should omit an incomplete character at the end of a partial text', () => {
    const truncated = toUtf8('Grüße').subarray(0, 3);
    expect(detectKind('a.txt', 'text/plain', truncated, true)).to.equal('binary');
    expect(detectPreview('a.txt', 'text/plain', truncated, false)).to.deep.equal({ kind: 'text', text: 'Gr' });
  });
});

describe('formatBytes', () => {
  it('should format a size in a binary unit up to GiB', () => {
    expect([0, 1023, 1024, 1536, 20 * 1024 * 1024, 5e12].map(formatBytes)).to.deep.equal([
      '0 B',
      '1023 B',
      '1 KiB',
      '1.5 KiB',
      '20 MiB',
      '4657 GiB',
    ]);
  });
});
