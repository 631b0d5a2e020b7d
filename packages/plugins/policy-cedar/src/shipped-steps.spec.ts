import { expect } from 'chai';
import type { Json } from '@countersign/core/plugin';
import type { PolicyFunction, PolicyRequest } from '@countersign/model';
import { loadPolicy } from './load-policy.js';
import { buildStepRequest as request } from './policies.spec.support.js';

function buildRequestWithFactors(factors: Json, otherProperties: Readonly<Record<string, Json>> = {}): PolicyRequest {
  return request('userTask', { properties: { 'risk.factors': factors, ...otherProperties } });
}

const buildFactor = (weight: number, code = 'size') => ({ code, description: 'The change is large.', weight });

describe('shipped policies for steps', () => {
  let policy: PolicyFunction;
  before(async () => {
    ({ policy } = await loadPolicy());
  });

  describe('by step type', () => {
    for (const stepType of ['task', 'manualTask', 'scriptTask', 'businessRuleTask']) {
      it(`should allow a ${stepType} that only computes, and explain its low risk in the rationale`, () => {
        const decision = policy(request(stepType));

        expect(decision).to.include({ decision: 'allow', riskLevel: 'low', policyId: 'countersign' });
        expect(decision.riskFactors).to.deep.equal([]);
        expect(decision.rationale).to.match(/^[A-Z].*, so its risk is low\.$/);
      });
    }

    it('should weigh connectors more than computations, and agents more than connectors', () => {
      const weigh = (jobType: string) => policy(request('serviceTask', { jobType })).riskFactors[0]?.weight ?? 0;

      expect(weigh('http')).to.be.greaterThan(0);
      expect(weigh('agent')).to.be.greaterThan(weigh('http'));
      expect(policy(request('serviceTask', { jobType: 'http' })).riskLevel).to.equal('low');
      expect(policy(request('serviceTask', { jobType: 'agent' })).riskLevel).to.equal('medium');
    });

    it('should recognise an agent even in a step type that usually only computes', () => {
      const decision = policy(request('businessRuleTask', { jobType: 'agent' }));

      expect(decision.riskLevel).to.equal('medium');
      expect(decision.rationale).to.contain('agent');
    });

    it('should name the job type of a connector in the rationale', () => {
      expect(policy(request('serviceTask', { jobType: 'http' })).rationale).to.equal(
        'A connector executes this step (job type "http"), and its risk is low.',
      );
    });

    for (const stepType of ['adHocTask', 'constructor', '__proto__', 'toString', '']) {
      it(`should deny the unknown step type "${stepType}"`, () => {
        const decision = policy(request(stepType));

        expect(decision).to.include({ decision: 'deny', riskLevel: 'high' });
        expect(decision.rationale).to.contain(`"${stepType}"`);
        expect(decision.riskFactors.map(({ code }) => code)).to.deep.equal(['not_permitted']);
      });
    }

    it('should deny a job for a step type that never has one', () => {
      expect(policy(request('userTask', { jobType: 'http' })).decision).to.equal('deny');
    });

    it('should show the risk of the run to the approver of a user task', () => {
      const decision = policy(request('userTask', { runRisk: 'high' }));

      expect(decision.riskLevel).to.equal('high');
      expect(decision.rationale).to.contain('previous steps raised the risk of the run to high');
      expect(policy(request('scriptTask', { runRisk: 'high' })).riskLevel).to.equal('low');
    });
  });

  describe('declared risk factors', () => {
    for (const [weights, level] of [
      [[0], 'low'],
      [[24.9], 'low'],
      [[10, 15], 'medium'],
      [[25, 25], 'high'],
      [[40, 39], 'high'],
      [[40, 40], 'critical'],
    ] as const) {
      it(`should result in ${level} risk for the weights ${weights.join(' + ')}`, () => {
        const factors = weights.map((weight) => buildFactor(weight));

        const decision = policy(buildRequestWithFactors(factors));

        expect(decision).to.include({ decision: 'allow', riskLevel: level });
        expect(decision.riskFactors).to.deep.equal(factors);
      });
    }

    it('should be added to the weight of the step', () => {
      const decision = policy(
        request('serviceTask', { jobType: 'agent', properties: { 'risk.factors': [buildFactor(20)] } }),
      );

      expect(decision.riskLevel).to.equal('high');
      expect(decision.riskFactors.map(({ code }) => code)).to.deep.equal(['agent', 'size']);
      expect(decision.rationale).to.equal(
        'An agent performs this step, and with one risk factor declared for it, the weights add up to 50, so its risk is high.',
      );
    });

    it('should be read from a JSON string', () => {
      expect(policy(buildRequestWithFactors(JSON.stringify([buildFactor(80)]))).riskLevel).to.equal('critical');
    });

    it('should be reduced to code, description and weight', () => {
      const hostile = JSON.parse(
        '[{"code":"a","description":"b","weight":1,"__proto__":{"weight":0},"more":1}]',
      ) as Json;

      expect(policy(buildRequestWithFactors(hostile)).riskFactors).to.deep.equal([
        { code: 'a', description: 'b', weight: 1 },
      ]);
    });

    it('should treat `risk.level` as a minimum, never as a maximum', () => {
      expect(policy(buildRequestWithFactors([], { 'risk.level': 'high' }))).to.include({
        riskLevel: 'high',
        rationale: 'A person decides in this step, and the BPMN model declares its risk as at least high.',
      });
      expect(policy(buildRequestWithFactors([buildFactor(80)], { 'risk.level': 'low' })).riskLevel).to.equal(
        'critical',
      );
    });

    it('should not be affected by unrelated properties', () => {
      expect(policy(request('userTask', { properties: { 'team': 'x', 'risky.level': 'y' } })).decision).to.equal(
        'allow',
      );
    });

    const malformed: readonly (readonly [string, Json])[] = [
      ['null, which FEEL returns for a missing variable', null],
      ['an empty string', ''],
      ['a string that is not JSON', '[{'],
      ['an object', { code: 'a', description: 'b', weight: 1 }],
      ['an item that is not an object', ['size']],
      ['a missing code', [{ description: 'b', weight: 1 }]],
      ['an inherited weight', JSON.parse('[{"code":"a","description":"b","__proto__":{"weight":1}}]') as Json],
      ['a code with spaces', [buildFactor(1, 'a b')]],
      ['an empty description', [{ code: 'a', description: ' ', weight: 1 }]],
      ['a weight below 0', [buildFactor(-80)]],
      ['a weight that is a string', [{ code: 'a', description: 'b', weight: '1' }]],
      ['a weight that is not a number', [buildFactor(Number.NaN)]],
      ['an infinite weight', [buildFactor(Number.POSITIVE_INFINITY)]],
      ['too many items', Array.from({ length: 101 }, () => buildFactor(0))],
    ];
    for (const [description, factors] of malformed) {
      it(`should deny the step when they are invalid: ${description}`, () => {
        const decision = policy(buildRequestWithFactors(factors));

        expect(decision).to.include({ decision: 'deny', riskLevel: 'high' });
        expect(decision.rationale).to.match(
          /^This step is denied, because its risk cannot be assessed: .*"risk\.factors".*\.$/,
        );
      });
    }

    it('should deny the step when the risk level is unknown', () => {
      expect(policy(buildRequestWithFactors([], { 'risk.level': 'High' })).rationale).to.contain(
        'one of low, medium, high, critical',
      );
    });

    it('should deny the step when a property is misspelt, because it would have no effect', () => {
      expect(policy(request('userTask', { properties: { 'risk.factor': [] } })).rationale).to.contain(
        '"risk.factor" is unknown',
      );
    });
  });

  describe('tool constraints', () => {
    const decideForTools = (toolHeader: string) =>
      policy(request('serviceTask', { jobType: 'agent', headers: { tools: toolHeader } }));

    it('should allow only the tools in the header', () => {
      expect(decideForTools('files.read, git.log,,files.read').toolConstraints).to.deep.equal({
        allowed: ['files.read', 'git.log'],
        denied: [],
        requireApproval: [],
        limits: {},
      });
    });

    it('should allow no tools when the header is missing or inherited', () => {
      const headers = Object.create({ tools: 'files.read' }) as Record<string, string>;

      expect(policy(request('serviceTask', { jobType: 'agent', headers })).toolConstraints.allowed).to.deep.equal([]);
    });

    it('should deny the step when the header contains anything other than tool names', () => {
      expect(decideForTools('=tools').decision).to.equal('deny');
      expect(decideForTools('*').decision).to.equal('deny');
    });
  });

  describe('decisions', () => {
    it('should be immutable, because equal requests share a decision', () => {
      const decision = policy(request('serviceTask', { jobType: 'http' }));

      expect(policy(request('serviceTask', { jobType: 'http', runId: 'another' }))).to.equal(decision);
      expect(() => (decision.riskFactors as unknown[]).pop()).to.throw(TypeError);
      expect(() => (decision.toolConstraints.allowed as unknown[]).push('x')).to.throw(TypeError);
      expect(() => Object.assign(decision.toolConstraints.limits, { calls: 1 })).to.throw(TypeError);
    });

    it('should not be reused for a request whose job type looks like the tools of another request', () => {
      const decisionWithoutTools = policy(request('serviceTask', { jobType: 'a\n=b' }));
      const decisionWithTool = policy(request('serviceTask', { jobType: 'a', headers: { tools: 'b' } }));

      expect(decisionWithoutTools.toolConstraints.allowed).to.deep.equal([]);
      expect(decisionWithTool.toolConstraints.allowed).to.deep.equal(['b']);
    });
  });
});
