import type { JsonObject } from '@countersign/core/plugin';
import { expect } from 'chai';
import { ThinkingParts } from './thinking-parts.js';

function joined(...pieces: readonly JsonObject[]): readonly JsonObject[] {
  const parts = new ThinkingParts();
  for (const piece of pieces) parts.add(piece);
  return parts.all;
}

const list = (text: string, more: JsonObject = {}): JsonObject => ({
  type: 'thinking',
  thinking: [{ type: 'text', text }],
  ...more,
});
const text = (thinking: string, signature = ''): JsonObject => ({ type: 'thinking', thinking, signature });

describe('ThinkingParts', () => {
  it('should join pieces with lists of texts, up to the piece that closes the part', () => {
    expect(joined(list('I '), list('look.', { closed: true }), list('Once more.'))).to.deep.equal([
      list('I look.', { closed: true }),
      list('Once more.'),
    ]);
  });

  it('should join text pieces, up to their signature', () => {
    expect(joined(text('I '), text('look.'), text('', 'c2ln'), text('Once more.'))).to.deep.equal([
      text('I look.', 'c2ln'),
      text('Once more.'),
    ]);
  });

  it('should join summary pieces, with the signature inside the summary', () => {
    const summary = (piece: string, signature: string): JsonObject => ({
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: piece, signature }],
    });
    expect(joined(summary('I ', ''), summary('look.', ''), summary('', 'c2ln'))).to.deep.equal([
      summary('I look.', 'c2ln'),
    ]);
  });

  it('should keep redacted parts and references separate from text', () => {
    const redacted = { type: 'redacted_thinking', data: 'QUFB' };
    const reference = { type: 'thinking', thinking: [{ type: 'reference', reference_ids: [1] }] };
    expect(joined(redacted, redacted, list('I look.'), reference, list('Once more.'))).to.deep.equal([
      redacted,
      redacted,
      {
        type: 'thinking',
        thinking: [
          { type: 'text', text: 'I look.' },
          { type: 'reference', reference_ids: [1] },
          { type: 'text', text: 'Once more.' },
        ],
      },
    ]);
  });

  it('should not modify the input pieces', () => {
    const pieces = [list('I '), list('look.')];
    joined(...pieces);
    expect(pieces).to.deep.equal([list('I '), list('look.')]);
  });

  it('should join many pieces in linear time', () => {
    const parts = new ThinkingParts();
    const reference = { type: 'thinking', thinking: [{ type: 'reference', reference_ids: [1] }] };
    for (let count = 0; count < 100_000; count += 1) parts.add(count % 2 === 0 ? list('a') : reference);
    expect(parts.all).to.have.length(1);
  });
});
