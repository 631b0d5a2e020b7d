import { expect } from 'chai';
import { getEvidenceKind, getMaxShownBytes, matchesDigest, decodeEvidenceText } from './evidence-source.js';

describe('inbox: evidence', () => {
  it('should be displayed according to its type, and as plain text if it could contain active content', () => {
    const kinds = [
      ['text/markdown; charset=utf-8', 'a'],
      ['text/plain', 'notes.md'],
      ['application/json', 'a'],
      ['application/problem+json', 'a'],
      ['text/html', 'a.html'],
      ['image/svg+xml', 'a.svg'],
      ['IMAGE/PNG', 'a.png'],
      ['application/zip', 'a.pdf'],
      ['', 'a'],
    ].map(([type = '', name = '']) => getEvidenceKind(type, name));
    expect(kinds).to.deep.equal(['markdown', 'markdown', 'json', 'json', 'text', 'text', 'image', 'binary', 'binary']);
  });

  it('should be displayed as a table if its type or, for plain text, its name says so', () => {
    const kinds = [
      ['text/csv; header=present', 'a'],
      ['text/plain', 'a.CSV'],
      ['text/tab-separated-values', 'a'],
      ['text/plain', 'a.tsv'],
      ['text/html', 'a.csv'],
      ['application/json', 'a.csv'],
      ['text/plain', 'csv'],
    ].map(([type = '', name = '']) => getEvidenceKind(type, name));
    expect(kinds).to.deep.equal(['csv', 'csv', 'tsv', 'tsv', 'text', 'json', 'text']);
  });

  it('should be displayed as a PDF if its type or, if the type is unknown, its name says so', () => {
    const kinds = [
      ['application/pdf', 'a'],
      ['Application/PDF; version=1.7', 'a.txt'],
      ['application/octet-stream', 'a.PDF'],
      ['', 'a.pdf'],
      ['text/plain', 'a.pdf'],
      ['application/octet-stream', 'pdf'],
    ].map(([type = '', name = '']) => getEvidenceKind(type, name));
    expect(kinds).to.deep.equal(['pdf', 'pdf', 'pdf', 'pdf', 'text', 'binary']);
    expect(getMaxShownBytes('application/pdf', 'a')).to.equal(16 * getMaxShownBytes('text/plain', 'a'));
  });

  it('should be decoded as text only if its bytes are valid UTF-8, without dropping characters', () => {
    const decode = (bytes: number[], contentType = 'text/plain'): string | undefined =>
      decodeEvidenceText({ kind: 'bytes', contentType, bytes: new Uint8Array(bytes) }, 'a');
    expect(decode([0x61, 0xc3, 0xa4])).to.equal('a\u00e4');
    expect(decode([0xef, 0xbb, 0xbf, 0x61])).to.equal('\ufeffa');
    expect([decode([0x61, 0xff]), decode([0x61, 0xfe]), decode([0xc3])], 'would look the same').to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
    expect([decode([0x61], 'image/png'), decode([0x61], 'application/pdf')]).to.deep.equal([undefined, undefined]);
  });

  it('should be accepted only if its bytes match the approved digest', async () => {
    const bytes = new Uint8Array(new TextEncoder().encode('abc'));
    const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    expect(await matchesDigest(bytes, digest)).to.equal(true);
    expect(await matchesDigest(bytes, `sha256:${digest}`)).to.equal(true);
    expect(await matchesDigest(new Uint8Array([1]), digest)).to.equal(false);
  });
});
