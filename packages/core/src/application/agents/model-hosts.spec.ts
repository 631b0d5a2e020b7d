import { expect } from 'chai';
import { createAgentRuntime, agentState, DEFINITION, digestOf } from './agents.spec.support.js';

describe('hosts of an agent’s language model', () => {
  const headers = { agent: 'triage' };

  async function createRuntimeWithHosts(hosts?: readonly string[]) {
    const { runtime, model } = await createAgentRuntime();
    if (hosts !== undefined) Object.assign(model, { hosts: () => hosts });
    return runtime;
  }

  it('should be the hosts of the provider in the agent definition', async () => {
    const runtime = await createRuntimeWithHosts(['model.example:8443']);
    expect(runtime.hosts({ headers, state: null })).to.deep.equal(['model.example:8443']);
  });

  it('should be the hosts of the provider that the step started with, even if the definition changed', async () => {
    const runtime = await createRuntimeWithHosts(['model.example']);
    expect(runtime.hosts({ headers, state: { ...agentState(), provider: 'gone' } })).to.deep.equal([]);
    expect(runtime.hosts({ headers, state: { ...agentState(), provider: 'fake' } })).to.deep.equal(['model.example']);
  });

  it('should be the hosts of all providers when an older step has no provider and an unknown definition', async () => {
    const runtime = await createRuntimeWithHosts(['model.example']);
    const { provider: _provider, ...state } = agentState();
    expect(runtime.hosts({ headers, state: { ...state, definitionDigest: 'sha256:gone' } })).to.deep.equal([
      'model.example',
    ]);
    expect(runtime.hosts({ headers, state: { ...state, definitionDigest: digestOf(DEFINITION) } })).to.deep.equal([
      'model.example',
    ]);
  });

  it('should be empty for an unknown agent or a provider that reports no hosts', async () => {
    const runtime = await createRuntimeWithHosts(['model.example']);
    expect(runtime.hosts({ headers: { agent: 'nobody' }, state: null })).to.deep.equal([]);
    expect(runtime.hosts({ headers: {}, state: null })).to.deep.equal([]);
    expect((await createRuntimeWithHosts()).hosts({ headers, state: null })).to.deep.equal([]);
  });
});
