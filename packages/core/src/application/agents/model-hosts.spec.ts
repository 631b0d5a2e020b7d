import { expect } from 'chai';
import { agentRuntime, agentState, DEFINITION, digestOf } from './agents.spec.support.js';

describe('the hosts of an agent’s model', () => {
  const headers = { agent: 'triage' };

  async function runtimeWith(hosts?: readonly string[]) {
    const { runtime, model } = await agentRuntime();
    if (hosts !== undefined) Object.assign(model, { hosts: () => hosts });
    return runtime;
  }

  it('should be those of the provider of its definition', async () => {
    const runtime = await runtimeWith(['model.example:8443']);
    expect(runtime.hosts({ headers, state: null })).to.deep.equal(['model.example:8443']);
  });

  it('should be those of the provider that the step began with, whatever the definition says now', async () => {
    const runtime = await runtimeWith(['model.example']);
    expect(runtime.hosts({ headers, state: { ...agentState(), provider: 'gone' } })).to.deep.equal([]);
    expect(runtime.hosts({ headers, state: { ...agentState(), provider: 'fake' } })).to.deep.equal(['model.example']);
  });

  it('should be those of all providers where a step of before began with one that nobody knows', async () => {
    const runtime = await runtimeWith(['model.example']);
    const { provider: _provider, ...state } = agentState();
    expect(runtime.hosts({ headers, state: { ...state, definitionDigest: 'sha256:gone' } })).to.deep.equal([
      'model.example',
    ]);
    expect(runtime.hosts({ headers, state: { ...state, definitionDigest: digestOf(DEFINITION) } })).to.deep.equal([
      'model.example',
    ]);
  });

  it('should be none of an agent that there is not, and of a provider that tells none', async () => {
    const runtime = await runtimeWith(['model.example']);
    expect(runtime.hosts({ headers: { agent: 'nobody' }, state: null })).to.deep.equal([]);
    expect(runtime.hosts({ headers: {}, state: null })).to.deep.equal([]);
    expect((await runtimeWith()).hosts({ headers, state: null })).to.deep.equal([]);
  });
});
