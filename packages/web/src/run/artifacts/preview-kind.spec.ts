import { expect } from 'chai';
import { formatBytes } from './format-bytes.js';
import { parseCsv, MAX_CSV_ROWS } from './parse-csv.js';
import { previewOf } from './preview-kind.js';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const bytes = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const kind = (name: string, type: string, content: Uint8Array, whole = true): string =>
  previewOf(name, type, content, whole).kind;

describe('previews of artifacts', () => {
  it('should recognize raster images by their bytes', () => {
    expect(previewOf('x.txt', 'text/plain', bytes('89504e470d0a1a0a00000000'), true)).to.deep.equal({
      kind: 'image',
      type: 'image/png',
    });
    expect(previewOf('x', 'image/png', bytes('ffd8ffe0'), true)).to.deep.equal({ kind: 'image', type: 'image/jpeg' });
    expect(kind('x.gif', 'image/gif', utf8('GIF89a'))).to.equal('image');
    expect(kind('x.webp', 'image/webp', bytes('52494646aabbccdd57454250'))).to.equal('image');
    expect(kind('x.webp', 'image/webp', bytes('00000000aabbccdd57454250'))).to.equal('binary');
    expect(kind('big.png', 'image/png', bytes('89504e470d0a1a0a00000000'), false)).to.equal('binary');
  });

  it('should show JSON as text if parsing would change a number', () => {
    expect(kind('a.json', 'application/json', utf8('{"account": 9007199254740991}'))).to.equal('json');
    expect(kind('a.json', 'application/json', utf8('{"account": 9007199254740993}'))).to.equal('text');
    expect(kind('a.json', 'application/json', utf8('[1e400]'))).to.equal('text');
  });

  it('should never render content that could run scripts, whatever its name or type', () => {
    const svg = utf8('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
    for (const [name, type] of [
      ['a.svg', 'image/svg+xml'],
      ['a.png', 'image/png'],
      ['a.svg', 'text/plain'],
      ['a', 'image/svg+xml'],
    ] as const) {
      expect(kind(name, type, svg), `${name} ${type}`).to.be.oneOf(['source', 'text']);
    }
    expect(kind('a.html', 'application/octet-stream', utf8('<script>'))).to.equal('source');
    expect(kind('a.md', 'text/html', utf8('# hi'))).to.equal('source');
    expect(kind('a.json', 'application/xhtml+xml', utf8('{}'))).to.equal('source');
  });

  it('should choose the kind of a text by its type and name, and detect binary content', () => {
    expect(kind('a.md', 'text/plain', utf8('# x'))).to.equal('markdown');
    expect(kind('a', 'application/problem+json', utf8('{"a": 1}'))).to.equal('json');
    expect(kind('a.json', 'application/json', utf8('{"a": '))).to.equal('text');
    expect(kind('a.json', 'application/json', utf8('{"a": 1}'), false)).to.equal('text');
    expect(kind('a.patch', 'text/plain', utf8('--- a'))).to.equal('diff');
    expect(kind('a', 'text/plain', utf8('diff --git a b'))).to.equal('diff');
    expect(kind('a.csv', 'application/octet-stream', utf8('a,b'))).to.equal('csv');
    expect(kind('a.txt', 'text/plain', bytes('6100'))).to.equal('binary');
    expect(kind('a.txt', 'text/plain', bytes('61ff'))).to.equal('binary');
  });

  it('should omit a character that is cut at the end of a partial text', () => {
    const cut = utf8('Grüße').subarray(0, 3);
    expect(kind('a.txt', 'text/plain', cut, true)).to.equal('binary');
    expect(previewOf('a.txt', 'text/plain', cut, false)).to.deep.equal({ kind: 'text', text: 'Gr' });
  });
});

describe('CSV', () => {
  it('should parse quotes, other separators and ragged rows', () => {
    expect(parseCsv('a,b\r\n"x ""y"", z","line\nbreak"\n1\n').rows).to.deep.equal([
      ['a', 'b'],
      ['x "y", z', 'line\nbreak'],
      ['1'],
    ]);
    expect(parseCsv('a;b;c\n1;2,5;3')).to.deep.equal({
      columns: 3,
      rows: [
        ['a', 'b', 'c'],
        ['1', '2,5', '3'],
      ],
      cut: false,
    });
    expect(parseCsv('')).to.deep.equal({ columns: 0, rows: [], cut: false });
  });

  it('should stop at MAX_CSV_ROWS rows', () => {
    const { rows, cut } = parseCsv('x\n'.repeat(MAX_CSV_ROWS + 1));
    expect([rows.length, cut]).to.deep.equal([MAX_CSV_ROWS, true]);
  });
});

describe('sizes', () => {
  it('should be displayed in a binary unit up to GiB', () => {
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
