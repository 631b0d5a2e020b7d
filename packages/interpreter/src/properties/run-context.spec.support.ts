import type { AdvanceContext, PolicyFunction } from '@countersign/model';
import { allow } from '../interpreter.spec.support.js';
import { decideOnCall } from './random-agent.spec.support.js';
import { DENIED_JOB_TYPE, KNOWN_DECISION } from './task-xml.spec.support.js';

const policy: PolicyFunction = (request) => ({
  ...allow(request),
  decision:
    request.jobType === DENIED_JOB_TYPE ? 'deny' : request.stepType === 'userTask' ? 'require_approval' : 'allow',
  riskLevel: request.stepType === 'userTask' ? 'high' : 'low',
  ...(request.call === null ? {} : decideOnCall(request)),
});

/** Returns the context in which a command is executed at the given time. */
export function buildContext(now: number): AdvanceContext {
  return {
    now,
    policy,
    settings: {
      separationOfDuties: true,
      excludeDeployers: false,
      requireDigest: false,
      retryBackoffMs: 1000,
      retryBackoffMaxMs: 60_000,
    },
    decisions: (decisionId) =>
      decisionId === KNOWN_DECISION
        ? {
            decisionId,
            version: 1,
            digest: 'sha256:2',
            evaluate: (scope) => ({ output: Number(scope.variables.get('n1') ?? 0) % 4, matchedRules: [], trail: {} }),
          }
        : undefined,
  };
}
