import { expect } from 'chai';
import type { PolicyDecision, PolicyRequest } from '@countersign/model';
import { isChanged, isWeaker, getEffectiveOutcome } from './compare-decisions.js';

const createDecision = (overrides: Partial<PolicyDecision> = {}): PolicyDecision => ({
  decision: 'require_approval',
  rationale: 'Original rationale.',
  riskLevel: 'medium',
  riskFactors: [],
  toolConstraints: { allowed: ['a', 'b'], denied: [], requireApproval: [], limits: {} },
  policyId: 'p',
  policyDigest: 'sha256:00',
  ...overrides,
});
const decisionWithApproval = (quorum: number, ...candidateGroups: string[]) =>
  createDecision({ approval: { candidateUsers: [], candidateGroups, quorum } });
const decisionWithTools = (denied: string[], requireApproval: string[] = []) =>
  createDecision({ decision: 'allow', toolConstraints: { allowed: [], denied, requireApproval, limits: {} } });
const taintedRequest = { taint: ['webhook'], call: { effect: 'write' } } as unknown as PolicyRequest;
const untaintedRequest = { ...taintedRequest, taint: [] } as PolicyRequest;

describe('comparison of policy decisions', () => {
  const cases: readonly (readonly [string, PolicyDecision, PolicyDecision, boolean, boolean])[] = [
    [
      'only the rationale and the policy differ',
      createDecision(),
      createDecision({ rationale: 'Changed rationale.', policyDigest: 'sha256:11', decidedBy: ['x'] }),
      false,
      false,
    ],
    ['a denial becomes a required approval', createDecision({ decision: 'deny' }), createDecision(), true, true],
    ['a required approval becomes a denial', createDecision(), createDecision({ decision: 'deny' }), true, false],
    ['approval is no longer required', createDecision(), createDecision({ decision: 'allow' }), true, true],
    ['only the risk level differs', createDecision(), createDecision({ riskLevel: 'high' }), true, false],
    ['the quorum is lower', decisionWithApproval(2, 'ops'), decisionWithApproval(1, 'ops'), true, true],
    ['the quorum is higher', decisionWithApproval(1, 'ops'), decisionWithApproval(2, 'ops'), true, false],
    [
      'another group may also approve',
      decisionWithApproval(1, 'ops'),
      decisionWithApproval(1, 'ops', 'dev'),
      true,
      true,
    ],
    ['fewer groups may approve', decisionWithApproval(1, 'ops', 'dev'), decisionWithApproval(1, 'ops'), true, false],
    ['the approvers are no longer restricted', decisionWithApproval(1, 'ops'), createDecision(), true, true],
    [
      'the same groups are listed in another order',
      decisionWithApproval(1, 'ops', 'dev'),
      decisionWithApproval(1, 'dev', 'ops'),
      false,
      false,
    ],
    ['a tool is no longer denied', decisionWithTools(['a']), decisionWithTools([]), true, true],
    ['a tool no longer requires approval', decisionWithTools([], ['a']), decisionWithTools([]), true, true],
    ['a tool that required approval is denied', decisionWithTools([], ['a']), decisionWithTools(['a']), true, false],
  ];
  for (const [description, before, after, changed, weaker] of cases) {
    it(`should find ${changed ? (weaker ? 'a weakening' : 'a change') : 'no difference'} when ${description}`, () => {
      expect([isChanged(before, after), isWeaker(before, after, untaintedRequest)]).to.deep.equal([changed, weaker]);
    });
  }

  it('should treat an allowed write with tainted data as requiring approval unless the policy accepts taint', () => {
    const allowed = createDecision({ decision: 'allow' });
    const taintAcceptingDecision = createDecision({ decision: 'allow', acceptsTaint: true });

    expect([
      getEffectiveOutcome(allowed, taintedRequest),
      getEffectiveOutcome(allowed, untaintedRequest),
      getEffectiveOutcome(taintAcceptingDecision, taintedRequest),
    ]).to.deep.equal(['require_approval', 'allow', 'allow']);
    expect([
      isWeaker(createDecision(), allowed, taintedRequest),
      isWeaker(createDecision(), allowed, untaintedRequest),
      isWeaker(allowed, taintAcceptingDecision, taintedRequest),
    ]).to.deep.equal([false, true, true]);
  });
});
