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

/** What is to become of a call, by the policy as it is now. */
export interface CallAssessment {
  /** The call with the artifacts and the policy as they are now: what would be approved, or made. */
  readonly call: AgentCall;
  /** Digest of the subject. */
  readonly digest: string;
  readonly decision: PolicyDecision;
  readonly needs: 'nothing' | 'approval' | 'answer' | 'refusal';
  /** Why it is refused, or why people are asked, for them and for the model. */
  readonly reason: string;
  /** What the history has to keep of the question. */
  readonly asked: JsonObject | null;
}

/**
 * Asks the policy about a call. What it says of tools in front of the step holds too; and a write with arguments that no
 * person vouches for needs one, unless a rule accepts that by name.
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

/** What the policy's outcome needs by itself. */
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

/** An empty list of what is allowed says nothing. */
function forbids({ allowed, denied }: ToolConstraints, tool: string): boolean {
  return denied.includes(tool) || (allowed.length > 0 && !allowed.includes(tool));
}
