import type { Json } from '@countersign/core/plugin';
import { expect } from 'chai';
import { CompanionCollector } from './companions.js';

const CALL = { id: 'c1', name: 'issue_read', arguments: {} };

function collectCompanions(...deltas: readonly object[]): Json {
  const collector = new CompanionCollector();
  for (const delta of deltas) collector.add(delta);
  return collector.toOpaque('litellm', [CALL]);
}

const thinkingPiece = (thinking: string, signature: string | null = '') => ({
  thinking_blocks: [{ type: 'thinking', thinking, signature }],
});
const expectedCompanions = (message: object, parts: readonly object[] = []) => ({
  provider: 'litellm',
  message,
  parts,
  calls: {},
});

describe('CompanionCollector', () => {
  it('should keep empty reasoning content, because DeepSeek requires it in the next request', () => {
    expect(collectCompanions({ reasoning_content: '' }, { reasoning_content: null })).to.deep.equal(
      expectedCompanions({ reasoning_content: '' }),
    );
    expect(collectCompanions({ reasoning_content: null }, {})).to.equal(null);
  });

  it('should join the pieces of thinking blocks, each with its signature', () => {
    expect(
      collectCompanions(
        thinkingPiece('I look '),
        thinkingPiece('at it.', null),
        thinkingPiece('', 'c2ln/1'),
        thinkingPiece('Once more.'),
        thinkingPiece('', 'c2ln/2'),
      ),
    ).to.deep.equal(
      expectedCompanions({
        thinking_blocks: [
          { type: 'thinking', thinking: 'I look at it.', signature: 'c2ln/1' },
          { type: 'thinking', thinking: 'Once more.', signature: 'c2ln/2' },
        ],
      }),
    );
  });

  it('should not duplicate thoughts that are repeated with the signature', () => {
    for (const pieces of [[thinkingPiece('I look '), thinkingPiece('at it.')], []])
      expect(collectCompanions(...pieces, thinkingPiece('I look at it.', 'c2ln'))).to.deep.equal(
        expectedCompanions({ thinking_blocks: [{ type: 'thinking', thinking: 'I look at it.', signature: 'c2ln' }] }),
      );
  });

  it('should keep redacted thoughts separate from other thoughts', () => {
    const redacted = { type: 'redacted_thinking', data: 'QUFB' };
    expect(
      collectCompanions(
        { thinking_blocks: [redacted] },
        { thinking_blocks: [redacted, null, 7] },
        thinkingPiece('I look.', 'c2ln'),
      ),
    ).to.deep.equal(
      expectedCompanions({
        thinking_blocks: [redacted, redacted, { type: 'thinking', thinking: 'I look.', signature: 'c2ln' }],
      }),
    );
  });

  it('should count thoughts only once if they arrive both as text and as blocks', () => {
    const collector = new CompanionCollector();
    collector.add({ reasoning_content: 'I look.', ...thinkingPiece('I look.') });
    expect(collector.size).to.equal(7);
  });
});
