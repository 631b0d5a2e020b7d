import type {
  AgentCall,
  ElementInstance,
  JsonObject,
  PolicyDecision,
  PolicyOutcome,
  ToolConstraints,
} from '@countersign/model';
import { evaluatePolicy, buildPolicyRequest, toRecordedRequest } from '../evaluate-policy.js';
import type { Execution } from '../execution.js';
import { computeSubjectDigest } from '../approvals/subject.js';
import { requireAgentTask } from './agent-state.js';
import { buildCallSubject, pinArtifacts } from './call-subject.js';

/** The assessment of a call by the current policy. */
export interface CallAssessment {
  /** The call with the current artifacts and policy, as it would be approved or executed. */
  readonly call: AgentCall;
  /** Digest of the subject. */
  readonly digest: string;
  readonly decision: PolicyDecision;
  readonly needs: 'nothing' | 'approval' | 'answer' | 'refusal';
  /** The reason why the call is refused or needs an approval, for users and for the language model. */
  readonly reason: string;
  /** The part of the policy request that the history must contain. */
  readonly recordedRequest: JsonObject | null;
}

/**
 * Evaluates the policy for a call. The tool constraints from the step's own policy decision also apply. A write with
 * untrusted arguments needs an approval, unless a rule accepts the taint explicitly.
 *
 * @throws {StepFailure} `policy_unavailable` if the policy cannot be evaluated
 */
export function assessCall(execution: Execution, instance: ElementInstance, proposed: AgentCall): CallAssessment {
  const task = requireAgentTask(execution, instance);
  const request = buildPolicyRequest(execution, task, instance, proposed);
  const decision = evaluatePolicy(execution, request);
  const call: AgentCall = {
    ...proposed,
    pinned: pinArtifacts(execution, proposed),
    policy: { id: decision.policyId, digest: decision.policyDigest },
  };
  const digest = computeSubjectDigest(buildCallSubject(execution, instance, call));
  const { needs, reason } = determineNeeds(call, decision, instance.toolConstraints);
  return { call, digest, decision, needs, reason, recordedRequest: toRecordedRequest(task, request) };
}

/** The requirement of each policy outcome, before tool constraints and taint are considered. */
const NEEDS_BY_OUTCOME: Readonly<Record<PolicyOutcome, 'nothing' | 'approval' | 'refusal'>> = {
  allow: 'nothing',
  deny: 'refusal',
  require_approval: 'approval',
};

function determineNeeds(
  call: AgentCall,
  decision: PolicyDecision,
  stepConstraints: ToolConstraints | undefined,
): Pick<CallAssessment, 'needs' | 'reason'> {
  const constraints = [decision.toolConstraints, ...(stepConstraints === undefined ? [] : [stepConstraints])];
  const policyNeeds = NEEDS_BY_OUTCOME[decision.decision];
  if (policyNeeds === 'refusal') return { needs: policyNeeds, reason: decision.rationale };
  if (constraints.some((each) => isToolForbidden(each, call.tool))) {
    return { needs: 'refusal', reason: `The policy does not allow the tool "${call.tool}" in this step.` };
  }
  const isApprovalRequired =
    policyNeeds === 'approval' || constraints.some(({ requireApproval }) => requireApproval.includes(call.tool));
  if (isApprovalRequired) return { needs: 'approval', reason: decision.rationale };
  if (call.effect === 'write' && call.taint.length > 0 && decision.acceptsTaint !== true) {
    return {
      needs: 'approval',
      reason: `This call requires an approval, because its arguments may come from ${call.taint.join(', ')}. ${decision.rationale}`,
    };
  }
  return { needs: call.question === null ? 'nothing' : 'answer', reason: decision.rationale };
}

/** Returns whether the constraints exclude a tool. An empty `allowed` list restricts nothing. */
function isToolForbidden({ allowed, denied }: ToolConstraints, tool: string): boolean {
  return denied.includes(tool) || (allowed.length > 0 && !allowed.includes(tool));
}
