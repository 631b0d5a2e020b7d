import type {
  AgentCall,
  ElementInstance,
  JsonObject,
  PolicyDecision,
  PolicyOutcome,
  ToolConstraints,
} from '@countersign/model';
import { evaluatePolicy, policyRequest, recordedQuestion } from '../evaluate-policy.js';
import type { Execution } from '../execution.js';
import { subjectDigest } from '../approvals/subject.js';
import { agentTask } from './agent-state.js';
import { callSubject, pinArtifacts } from './call-subject.js';

/** The assessment of a call by the current policy. */
export interface CallAssessment {
  /** The call with the current artifacts and policy, as it would be approved or executed. */
  readonly call: AgentCall;
  /** Digest of the subject. */
  readonly digest: string;
  readonly decision: PolicyDecision;
  readonly needs: 'nothing' | 'approval' | 'answer' | 'refusal';
  /** Why the call is refused or needs an approval, for users and for the language model. */
  readonly reason: string;
  /** The part of the policy request that the history must keep. */
  readonly asked: JsonObject | null;
}

/**
 * Evaluates the policy for a call. The tool constraints from the step's own policy decision also apply. A write with
 * untrusted arguments needs an approval, unless a rule accepts the taint explicitly.
 *
 * @throws {StepFailure} `policy_unavailable`
 */
export function assessCall(execution: Execution, instance: ElementInstance, proposed: AgentCall): CallAssessment {
  const task = agentTask(execution, instance);
  const request = policyRequest(execution, task, instance, proposed);
  const decision = evaluatePolicy(execution, request);
  const call: AgentCall = {
    ...proposed,
    pinned: pinArtifacts(execution, proposed),
    policy: { id: decision.policyId, digest: decision.policyDigest },
  };
  const digest = subjectDigest(callSubject(execution, instance, call));
  const { needs, reason } = needsOf(call, decision, instance.toolConstraints);
  return { call, digest, decision, needs, reason, asked: recordedQuestion(task, request) };
}

/** What each policy outcome requires on its own. */
const NEEDS: Readonly<Record<PolicyOutcome, 'nothing' | 'approval' | 'refusal'>> = {
  allow: 'nothing',
  deny: 'refusal',
  require_approval: 'approval',
};

function needsOf(
  call: AgentCall,
  decision: PolicyDecision,
  ofStep: ToolConstraints | undefined,
): Pick<CallAssessment, 'needs' | 'reason'> {
  const constraints = [decision.toolConstraints, ...(ofStep === undefined ? [] : [ofStep])];
  const ofPolicy = NEEDS[decision.decision];
  if (ofPolicy === 'refusal') return { needs: ofPolicy, reason: decision.rationale };
  if (constraints.some((each) => forbids(each, call.tool))) {
    return { needs: 'refusal', reason: `The policy leaves "${call.tool}" out of the tools of this step.` };
  }
  const isAsked =
    ofPolicy === 'approval' || constraints.some(({ requireApproval }) => requireApproval.includes(call.tool));
  if (isAsked) return { needs: 'approval', reason: decision.rationale };
  if (call.effect === 'write' && call.taint.length > 0 && decision.acceptsTaint !== true) {
    return {
      needs: 'approval',
      reason: `A person is asked, since the arguments may come from ${call.taint.join(', ')}. ${decision.rationale}`,
    };
  }
  return { needs: call.question === null ? 'nothing' : 'answer', reason: decision.rationale };
}

/** Returns whether the constraints exclude a tool. An empty `allowed` list restricts nothing. */
function forbids({ allowed, denied }: ToolConstraints, tool: string): boolean {
  return denied.includes(tool) || (allowed.length > 0 && !allowed.includes(tool));
}
