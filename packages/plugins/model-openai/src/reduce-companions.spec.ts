import { expect } from 'chai';
import { reduceCompanions } from './reduce-companions.js';

describe('reduceCompanions()', () => {
  it('should keep signatures, encrypted reasoning and the presence of reasoning, without its text', () => {
    const signature = { thought_signature: 'c2ln' };
    const encrypted = { type: 'reasoning.encrypted', data: 'QUFB' };
    const opaque = {
      provider: 'openai',
      message: {
        reasoning_content: 'I look at it.',
        reasoning: 'I look at it.',
        reasoning_details: [{ type: 'reasoning.text', text: 'I look at it.' }, encrypted, null],
        thinking_blocks: [{ type: 'thinking', thinking: 'I look at it.', signature: 'c2ln' }],
        extra_content: { google: signature },
      },
      parts: [{ type: 'thinking', thinking: 'I look at it.' }],
      calls: { c1: { id: 'long', extra_content: { google: signature } } },
    };

    expect(reduceCompanions(opaque, 'openai')).to.deep.equal({
      provider: 'openai',
      message: { reasoning_content: '', reasoning_details: [encrypted], extra_content: { google: signature } },
      parts: [],
      calls: opaque.calls,
    });
  });

  it('should keep nothing from another provider', () => {
    for (const opaque of [null, 'x', { provider: 'other', message: {}, calls: {} }])
      expect(reduceCompanions(opaque, 'openai')).to.equal(null);
  });
});
