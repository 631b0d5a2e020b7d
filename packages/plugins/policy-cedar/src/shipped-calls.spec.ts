import { expect } from 'chai';
import type { PolicyFunction } from '@countersign/model';
import { loadPolicy } from './load-policy.js';
import { buildCallRequest, buildStepRequest } from './policies.spec.support.js';

describe('shipped policies for calls', () => {
  let policy: PolicyFunction;
  before(async () => {
    ({ policy } = await loadPolicy());
  });

  it('should allow reads at low risk', () => {
    const decision = policy(buildCallRequest({ effect: 'read', hosts: ['api.example.com'] }));

    expect(decision).to.deep.include({
      decision: 'allow',
      riskLevel: 'low',
      decidedBy: ['tool.read'],
      rationale: 'The tool only reads. Its risk is low.',
    });
    expect(decision.riskFactors.map(({ code }) => code)).to.deep.equal(['external']);
  });

  it('should assign a higher risk to calls with tainted data', () => {
    expect(
      policy(buildCallRequest({ effect: 'read', hosts: ['api.example.com'] }, { taint: ['webhook'] })).riskLevel,
    ).to.equal('medium');
  });

  it('should allow agents to ask people', () => {
    expect(policy(buildCallRequest({ tool: 'human.ask' }))).to.deep.include({
      decision: 'allow',
      riskLevel: 'low',
      decidedBy: ['tool.ask'],
    });
  });

  it('should require approval for each write', () => {
    const decision = policy(buildCallRequest({ effect: 'write' }));

    expect(decision).to.deep.include({
      decision: 'require_approval',
      riskLevel: 'medium',
      rationale: 'The tool makes changes. No policy permits it without approval. Its risk is medium.',
    });
    expect(decision).to.not.have.any.keys('approval', 'acceptsTaint');
  });

  it('should assign high risk to a write that cannot be undone', () => {
    const decision = policy(buildCallRequest({ effect: 'write', reversible: false }));

    expect(decision).to.include({ decision: 'require_approval', riskLevel: 'high' });
    expect(decision.riskFactors.map(({ code }) => code)).to.deep.equal(['write', 'irreversible']);
  });

  it('should show the risk of the run to approvers', () => {
    expect(policy(buildCallRequest({ effect: 'write' }, { runRisk: 'critical' }))).to.include({
      riskLevel: 'critical',
      rationale:
        'The tool makes changes. No policy permits it without approval. Its risk is medium, and the risk of the run is critical.',
    });
    expect(policy(buildCallRequest({ effect: 'write' })).riskLevel).to.equal('medium');
  });

  for (const effect of ['read', 'write'] as const) {
    it(`should deny a ${effect} by a tool that the step does not list`, () => {
      const decision = policy(
        buildCallRequest({ tool: 'files.delete', effect }, { headers: { agent: 'triage', tools: 'files.read' } }),
      );

      expect(decision).to.deep.include({
        decision: 'deny',
        riskLevel: effect === 'read' ? 'high' : 'critical',
        decidedBy: ['tool.unlisted'],
      });
      expect(decision.rationale).to.equal('The step does not list this tool in its task header "tools".');
    });
  }

  it('should not restrict the tools of the agent when the step lists none', () => {
    expect(policy(buildCallRequest({ effect: 'read' }, { headers: {} })).decision).to.equal('allow');
    expect(policy(buildCallRequest({ effect: 'write' }, { headers: {} })).decision).to.equal('require_approval');
  });

  it('should require approval for a write even if the tool is named human.ask', () => {
    expect(policy(buildCallRequest({ tool: 'human.ask', effect: 'write' })).decision).to.equal('require_approval');
  });

  it('should deny a tool whose name is only a prefix of the name of a listed tool', () => {
    expect(
      policy(buildCallRequest({ tool: 'files.read' }, { headers: { tools: 'files.read.all' } })).decision,
    ).to.equal('deny');
  });

  it('should throw for a call without an agent', () => {
    expect(() => policy(buildCallRequest({}, { agentName: null }))).to.throw('does not name an agent');
  });

  it('should not reuse the decision on a call for its step', () => {
    policy(buildCallRequest({ tool: 'process/element' }, { headers: { tools: 'process/element' } }));

    expect(policy(buildStepRequest('serviceTask', { jobType: 'agent', agentName: 'triage' })).decidedBy).to.deep.equal([
      'step.agent',
    ]);
  });
});
