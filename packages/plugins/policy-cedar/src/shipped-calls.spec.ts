import { expect } from 'chai';
import type { PolicyFunction } from '@countersign/model';
import { loadPolicy } from './load-policy.js';
import { call, step } from './policies.spec.support.js';

describe('the policies that ship, of calls', () => {
  let policy: PolicyFunction;
  before(async () => {
    ({ policy } = await loadPolicy());
  });

  it('should let reads go ahead, at low risk', () => {
    const decision = policy(call({ effect: 'read', hosts: ['api.example.com'] }));

    expect(decision).to.deep.include({
      decision: 'allow',
      riskLevel: 'low',
      decidedBy: ['tool.read'],
      rationale: 'The tool only reads. Its risk is low.',
    });
    expect(decision.riskFactors.map(({ code }) => code)).to.deep.equal(['elsewhere']);
  });

  it('should weigh more what is tainted', () => {
    expect(policy(call({ effect: 'read', hosts: ['api.example.com'] }, { taint: ['webhook'] })).riskLevel).to.equal(
      'medium',
    );
  });

  it('should let agents ask people', () => {
    expect(policy(call({ tool: 'human.ask' }))).to.deep.include({
      decision: 'allow',
      riskLevel: 'low',
      decidedBy: ['tool.ask'],
    });
  });

  it('should have a person look at each write', () => {
    const decision = policy(call({ effect: 'write' }));

    expect(decision).to.deep.include({
      decision: 'require_approval',
      riskLevel: 'medium',
      rationale: 'The tool changes something. No policy lets it go ahead without a person. Its risk is medium.',
    });
    expect(decision).to.not.have.any.keys('approval', 'acceptsTaint');
  });

  it('should find a write that cannot be undone of high risk', () => {
    const decision = policy(call({ effect: 'write', reversible: false }));

    expect(decision).to.include({ decision: 'require_approval', riskLevel: 'high' });
    expect(decision.riskFactors.map(({ code }) => code)).to.deep.equal(['write', 'irreversible']);
  });

  it('should show whoever approves the risk that the run has come to', () => {
    expect(policy(call({ effect: 'write' }, { runRisk: 'critical' }))).to.include({
      riskLevel: 'critical',
      rationale:
        'The tool changes something. No policy lets it go ahead without a person. Its risk is medium, and that of the run critical.',
    });
    expect(policy(call({ effect: 'write' })).riskLevel).to.equal('medium');
  });

  for (const effect of ['read', 'write'] as const) {
    it(`should deny a ${effect} by a tool that the step does not list`, () => {
      const decision = policy(
        call({ tool: 'files.delete', effect }, { headers: { agent: 'triage', tools: 'files.read' } }),
      );

      expect(decision).to.deep.include({
        decision: 'deny',
        riskLevel: effect === 'read' ? 'high' : 'critical',
        decidedBy: ['tool.unlisted'],
      });
      expect(decision.rationale).to.equal('The step does not list this tool in its task header "tools".');
    });
  }

  it('should leave it at the tools of the definition where the step lists none', () => {
    expect(policy(call({ effect: 'read' }, { headers: {} })).decision).to.equal('allow');
    expect(policy(call({ effect: 'write' }, { headers: {} })).decision).to.equal('require_approval');
  });

  it('should not let a write go ahead that calls itself a question', () => {
    expect(policy(call({ tool: 'human.ask', effect: 'write' })).decision).to.equal('require_approval');
  });

  it('should not take a tool for one whose name begins alike', () => {
    expect(policy(call({ tool: 'files.read' }, { headers: { tools: 'files.read.all' } })).decision).to.equal('deny');
  });

  it('should give no answer of a call that no agent makes', () => {
    expect(() => policy(call({}, { agentName: null }))).to.throw('names no agent');
  });

  it('should not take the answer of a call for that of its step', () => {
    policy(call({ tool: 'process/element' }, { headers: { tools: 'process/element' } }));

    expect(policy(step('serviceTask', { jobType: 'agent', agentName: 'triage' })).decidedBy).to.deep.equal([
      'step.agent',
    ]);
  });
});
