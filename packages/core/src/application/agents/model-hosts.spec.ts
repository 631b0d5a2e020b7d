import { expect } from 'chai';
import { createAgentRuntime, createAgentState, DEFINITION, computeDefinitionDigest } from './agents.spec.support.js';

describe('BuiltInAgentRuntime.hosts', () => {
  const headers = { agent: 'triage' };

  async function createRuntimeWithHosts(hosts?: readonly string[]) {
    const { runtime, model } = await createAgentRuntime();
    if (hosts !== undefined) Object.assign(model, { hosts: () => hosts });
    return runtime;
  }

  it('should return the hosts of the provider in the agent definition', async () => {
    const runtime = await createRuntimeWithHosts(['model.example:8443']);
    expect(runtime.hosts({ headers, state: null })).to.deep.equal(['model.example:8443']);
  });

  it('should return the hosts of the provider that the step started with, even if the definition changed', async () => {
    const runtime = await createRuntimeWithHosts(['model.example']);
    expect(runtime.hosts({ headers, state: { ...createAgentState(), provider: 'gone' } })).to.deep.equal([]);
    expect(runtime.hosts({ headers, state: { ...createAgentState(), provider: 'fake' } })).to.deep.equal([
      'model.example',
    ]);
  });

  it('should return the hosts of all providers for an older step without a provider and with an unknown definition', async () => {
    const runtime = await createRuntimeWithHosts(['model.example']);
    const { provider: _provider, ...state } = createAgentState();
    expect(runtime.hosts({ headers, state: { ...state, definitionDigest: 'sha256:gone' } })).to.deep.equal([
      'model.example',
    ]);
    expect(
      runtime.hosts({ headers, state: { ...state, definitionDigest: computeDefinitionDigest(DEFINITION) } }),
    ).to.deep.equal(['model.example']);
  });

  it('should return no hosts for an unknown agent or a provider that reports no hosts', async () => {
    const runtime = await createRuntimeWithHosts(['model.example']);
    expect(runtime.hosts({ headers: { agent: 'nobody' }, state: null })).to.deep.equal([]);
    expect(runtime.hosts({ headers: {}, state: null })).to.deep.equal([]);
    expect((await createRuntimeWithHosts()).hosts({ headers, state: null })).to.deep.equal([]);
  });
});
