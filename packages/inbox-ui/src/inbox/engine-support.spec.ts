import { expect } from 'chai';
import { createEngineSupport } from './engine-support.js';

describe('createEngineSupport()', () => {
  const limited = createEngineSupport({ name: 'other', unsupported: ['call_edits', 'approval_delegation'] });

  it('should explain what an engine cannot do, of what is asked for', () => {
    expect(limited.explainMissing(['approval_delegation', 'migration'])).to.equal(
      'The engine of this server (other) can’t delegate approvals.',
    );
    expect(limited.explainMissing(['approval_delegation', 'call_edits'])).to.equal(
      'The engine of this server (other) can’t delegate approvals or change the arguments of a tool call.',
    );
    expect(limited.explainMissing(['migration'])).to.equal(undefined);
    expect([limited.supports('call_edits'), limited.supports('migration')]).to.deep.equal([false, true]);
  });

  it('should assume that an engine can do everything if the server does not describe it', () => {
    const unknown = createEngineSupport(undefined);
    expect([unknown.supports('call_edits'), unknown.explainMissing(['call_edits'])]).to.deep.equal([true, undefined]);
  });
});
