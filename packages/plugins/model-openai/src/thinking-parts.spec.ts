import type { JsonObject } from '@countersign/core/plugin';
import { expect } from 'chai';
import { ThinkingParts } from './thinking-parts.js';

function joinPieces(...pieces: readonly JsonObject[]): readonly JsonObject[] {
  const parts = new ThinkingParts();
  for (const piece of pieces) parts.add(piece);
  return parts.all;
}

const listPiece = (textPiece: string, more: JsonObject = {}): JsonObject => ({
  type: 'thinking',
  thinking: [{ type: 'text', text: textPiece }],
  ...more,
});
const text = (thinking: string, signature = ''): JsonObject => ({ type: 'thinking', thinking, signature });

describe('ThinkingParts', () => {
  it('should join pieces with lists of texts, up to the piece that closes the part', () => {
    expect(joinPieces(listPiece('I '), listPiece('look.', { closed: true }), listPiece('Once more.'))).to.deep.equal([
      listPiece('I look.', { closed: true }),
      listPiece('Once more.'),
    ]);
  });

  it('should join text pieces, up to their signature', () => {
    expect(joinPieces(text('I '), text('look.'), text('', 'c2ln'), text('Once more.'))).to.deep.equal([
      text('I look.', 'c2ln'),
      text('Once more.'),
    ]);
  });

  it('should join summary pieces, with the signature inside the summary', () => {
    const summaryPiece = (piece: string, signature: string): JsonObject => ({
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: piece, signature }],
    });
    expect(joinPieces(summaryPiece('I ', ''), summaryPiece('look.', ''), summaryPiece('', 'c2ln'))).to.deep.equal([
      summaryPiece('I look.', 'c2ln'),
    ]);
  });

  it('should keep redacted parts and references separate from text', () => {
    const redacted = { type: 'redacted_thinking', data: 'QUFB' };
    const reference = { type: 'thinking', thinking: [{ type: 'reference', reference_ids: [1] }] };
    expect(joinPieces(redacted, redacted, listPiece('I look.'), reference, listPiece('Once more.'))).to.deep.equal([
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
    const pieces = [listPiece('I '), listPiece('look.')];
    joinPieces(...pieces);
    expect(pieces).to.deep.equal([listPiece('I '), listPiece('look.')]);
  });

  it('should join many pieces in linear time', () => {
    const parts = new ThinkingParts();
    const reference = { type: 'thinking', thinking: [{ type: 'reference', reference_ids: [1] }] };
    for (let count = 0; count < 100_000; count += 1) parts.add(count % 2 === 0 ? listPiece('a') : reference);
    expect(parts.all).to.have.length(1);
  });
});
