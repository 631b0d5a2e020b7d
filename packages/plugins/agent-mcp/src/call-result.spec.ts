import type { JsonObject } from '@countersign/core/plugin';
import { expect } from 'chai';
import { readCallResult } from './call-result.js';

describe('readCallResult()', () => {
  const readContent = (result: JsonObject) => readCallResult(result).content;

  it('should return the text of the text blocks', () => {
    expect(
      readCallResult({
        content: [
          { type: 'text', text: 'one' },
          { type: 'text', text: 'two' },
        ],
      }),
    ).to.eql({ content: 'one\ntwo', isError: false });
    expect(readCallResult({ content: [{ type: 'text', text: 'The file does not exist.' }], isError: true })).to.eql({
      content: 'The file does not exist.',
      isError: true,
    });
    expect(readContent({})).to.equal('');
  });

  it('should return structured content, with the text only if it differs from the data', () => {
    expect(readContent({ content: [{ type: 'text', text: '{"a": 1}' }], structuredContent: { a: 1 } })).to.eql({
      data: { a: 1 },
    });
    expect(readContent({ content: [{ type: 'text', text: 'One.' }], structuredContent: { a: 1 } })).to.eql({
      text: 'One.',
      data: { a: 1 },
    });
  });

  it('should list resource links and name the blocks that it leaves out', () => {
    expect(
      readContent({
        content: [
          { type: 'resource_link', uri: 'file:///a', name: 'a', mimeType: 'text/plain' },
          { type: 'resource', resource: { uri: 'file:///b', text: 'inside' } },
          { type: 'resource', resource: { uri: 'file:///c', mimeType: 'image/png', blob: 'AAAA' } },
          { type: 'image', mimeType: 'image/png', data: 'AAAA' },
          { type: 7 },
          'x',
        ],
      }),
    ).to.eql({
      text: 'file:///b:\ninside',
      links: [{ uri: 'file:///a', name: 'a', mimeType: 'text/plain' }],
      leftOut: [
        'resource file:///c (image/png)',
        'image (image/png, 4 characters of base64)',
        'block without a type ()',
        'block without a type ()',
      ],
    });
  });

  it('should leave out structured content with a number that may have lost precision', () => {
    expect(
      readContent({
        content: [{ type: 'text', text: '{"id": 9007199254740993}' }],
        structuredContent: { id: JSON.parse('9007199254740993') as number },
      }),
    ).to.eql({
      text: '{"id": 9007199254740993}',
      leftOut: ['structured content that cannot be stored: number_not_exact'],
    });
  });

  it('should keep the text if its numbers have more digits than those of the structured content', () => {
    for (const number of ['0.1234567890123456789', '12345678901234567890123']) {
      const text = `{"amount": ${number}}`;
      const structuredContent = JSON.parse(text) as { amount: number };
      expect(readContent({ content: [{ type: 'text', text }], structuredContent })).to.eql({
        text,
        data: structuredContent,
      });
    }
  });

  it('should escape invisible characters in text and structured content', () => {
    expect(readContent({ content: [{ type: 'text', text: 'a\u{e0041}' }] })).to.equal('a\\u{E0041}');
    expect(readContent({ structuredContent: { 'a\u202e': ['\u200b'] } })).to.eql({
      data: { 'a\\u{202E}': ['\\u{200B}'] },
    });
  });

  it('should limit the number of blocks, the text and the structured content', () => {
    expect(readContent({ content: Array.from({ length: 5_000 }, () => ({ type: 'text', text: 'x'.repeat(1_000) })) }))
      .to.have.property('leftOut')
      .that.eql(['further blocks: 4000']);
    expect(readContent({ content: [{ type: 'text', text: 'x'.repeat(2_000_000) }] })).to.have.length.lessThan(
      1_048_600,
    );
    expect(readContent({ structuredContent: { a: 'x'.repeat(2_000_000) } })).to.eql({
      leftOut: ['structured content of more than 1048576 characters'],
    });
  });
});
