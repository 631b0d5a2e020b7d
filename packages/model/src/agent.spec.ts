import { expect } from 'chai';
import { agentNameOf } from './agent.js';

describe('agentNameOf()', () => {
  it('should be the name that policies and the runtime of agents both go by, without white space around it', () => {
    expect(agentNameOf({ agent: 'triage' })).to.equal('triage');
    expect(agentNameOf({ agent: ' triage\n' })).to.equal('triage');
  });

  it('should be none where the headers name none', () => {
    expect(agentNameOf({})).to.equal(null);
    expect(agentNameOf({ agent: ' ' })).to.equal(null);
    expect(agentNameOf(Object.create({ agent: 'inherited' }) as Record<string, string>)).to.equal(null);
  });
});
