import { expect } from 'chai';
import { readAgentName } from './agent.js';

describe('readAgentName()', () => {
  it('should return the trimmed name that policies and the agent runtime use', () => {
    expect(readAgentName({ agent: 'triage' })).to.equal('triage');
    expect(readAgentName({ agent: ' triage\n' })).to.equal('triage');
  });

  it('should return null when the headers name no agent', () => {
    expect(readAgentName({})).to.equal(null);
    expect(readAgentName({ agent: ' ' })).to.equal(null);
    expect(readAgentName(Object.create({ agent: 'inherited' }) as Record<string, string>)).to.equal(null);
  });
});
