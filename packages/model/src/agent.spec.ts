import { expect } from 'chai';
import { agentNameOf } from './agent.js';

describe('agentNameOf()', () => {
  it('should return the trimmed name that policies and the agent runtime use', () => {
    expect(agentNameOf({ agent: 'triage' })).to.equal('triage');
    expect(agentNameOf({ agent: ' triage\n' })).to.equal('triage');
  });

  it('should return null when the headers name no agent', () => {
    expect(agentNameOf({})).to.equal(null);
    expect(agentNameOf({ agent: ' ' })).to.equal(null);
    expect(agentNameOf(Object.create({ agent: 'inherited' }) as Record<string, string>)).to.equal(null);
  });
});
