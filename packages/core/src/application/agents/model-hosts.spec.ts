import { expect } from 'chai';
import { agentRuntime, DEFINITION } from './agents.spec.support.js';

describe('the hosts of an agent’s model', () => {
  const TASK = { headers: { agent: 'triage' } };

  it('should be those of the provider of its definition', async () => {
    const { runtime, model } = await agentRuntime();
    Object.assign(model, { hosts: () => ['model.example:8443'] });
    expect(runtime.hosts(TASK, undefined)).to.deep.equal(['model.example:8443']);
  });

  it('should be those of the provider that the step began with, whatever the definition says now', async () => {
    const { runtime, model } = await agentRuntime({
      definitions: [{ ...DEFINITION, model: { ...DEFINITION.model, provider: 'fake' } }],
    });
    Object.assign(model, { hosts: () => ['model.example'] });
    expect(runtime.hosts(TASK, 'gone')).to.deep.equal([]);
    expect(runtime.hosts(TASK, 'fake')).to.deep.equal(['model.example']);
  });

  it('should be none of an agent that there is not, and of a provider that tells none', async () => {
    const { runtime } = await agentRuntime();
    expect(runtime.hosts({ headers: { agent: 'nobody' } }, undefined)).to.deep.equal([]);
    expect(runtime.hosts({ headers: {} }, undefined)).to.deep.equal([]);
    expect(runtime.hosts(TASK, undefined)).to.deep.equal([]);
  });
});
