import { expect } from 'chai';
import type { PolicyDecision, PolicyRequest } from '@countersign/model';
import { isChanged, isWeaker, outcomeOf } from './compare-decisions.js';

const decision = (more: Partial<PolicyDecision> = {}): PolicyDecision => ({
  decision: 'require_approval',
  rationale: 'Because.',
  riskLevel: 'medium',
  riskFactors: [],
  toolConstraints: { allowed: ['a', 'b'], denied: [], requireApproval: [], limits: {} },
  policyId: 'p',
  policyDigest: 'sha256:00',
  ...more,
});
const asked = (quorum: number, ...candidateGroups: string[]) =>
  decision({ approval: { candidateUsers: [], candidateGroups, quorum } });
const tools = (denied: string[], requireApproval: string[] = []) =>
  decision({ decision: 'allow', toolConstraints: { allowed: [], denied, requireApproval, limits: {} } });
const tainted = { taint: ['webhook'], call: { effect: 'write' } } as unknown as PolicyRequest;
const clean = { ...tainted, taint: [] } as PolicyRequest;

describe('comparison of policy decisions', () => {
  const cases: readonly (readonly [string, PolicyDecision, PolicyDecision, boolean, boolean])[] = [
    [
      'only the reasons differ',
      decision(),
      decision({ rationale: 'Otherwise.', policyDigest: 'sha256:11', decidedBy: ['x'] }),
      false,
      false,
    ],
    ['a denial becomes a required approval', decision({ decision: 'deny' }), decision(), true, true],
    ['a required approval becomes a denial', decision(), decision({ decision: 'deny' }), true, false],
    ['approval is no longer required', decision(), decision({ decision: 'allow' }), true, true],
    ['only the risk differs', decision(), decision({ riskLevel: 'high' }), true, false],
    ['the quorum is lower', asked(2, 'ops'), asked(1, 'ops'), true, true],
    ['the quorum is higher', asked(1, 'ops'), asked(2, 'ops'), true, false],
    ['another group may also approve', asked(1, 'ops'), asked(1, 'ops', 'dev'), true, true],
    ['fewer groups may approve', asked(1, 'ops', 'dev'), asked(1, 'ops'), true, false],
    ['the approvers are no longer restricted', asked(1, 'ops'), decision(), true, true],
    ['the same groups are listed in another order', asked(1, 'ops', 'dev'), asked(1, 'dev', 'ops'), false, false],
    ['a tool is no longer denied', tools(['a']), tools([]), true, true],
    ['a tool no longer requires approval', tools([], ['a']), tools([]), true, true],
    ['a tool that required approval is denied', tools([], ['a']), tools(['a']), true, false],
  ];
  for (const [what, before, after, changed, weaker] of cases) {
    it(`should find ${changed ? (weaker ? 'it weaker' : 'it changed') : 'no difference'} when ${what}`, () => {
      expect([isChanged(before, after), isWeaker(before, after, clean)]).to.deep.equal([changed, weaker]);
    });
  }

  it('should treat an allowed write with tainted data as requiring approval unless the policy accepts taint', () => {
    const allowed = decision({ decision: 'allow' });
    const accepted = decision({ decision: 'allow', acceptsTaint: true });

    expect([outcomeOf(allowed, tainted), outcomeOf(allowed, clean), outcomeOf(accepted, tainted)]).to.deep.equal([
      'require_approval',
      'allow',
      'allow',
    ]);
    expect([
      isWeaker(decision(), allowed, tainted),
      isWeaker(decision(), allowed, clean),
      isWeaker(allowed, accepted, tainted),
    ]).to.deep.equal([false, true, true]);
  });
});
