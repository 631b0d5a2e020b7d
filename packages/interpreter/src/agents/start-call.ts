import { AGENT_CALL_JOB_TYPE, type AgentCall, type ToolConstraints } from '@countersign/model';
import { toDecisionData, recordCallRisk } from '../steps.js';
import type { Execution } from '../execution.js';
import { openJob } from '../jobs.js';
import { openQuestion } from '../questions/open-question.js';
import { requireAgentTask, putCall } from './agent-state.js';
import { openCallApproval } from './call-approval.js';
import { assessCall, type CallAssessment } from './assess-call.js';
import { refuseCall } from './end-call.js';

/**
 * Assesses a call and executes it, requests an approval or refuses it. Called again if the approval was withdrawn, or
 * if the job, approval or question of the call failed. An approved call is executed without another approval while its
 * digest is unchanged.
 *
 * @throws {StepFailure} if the policy or an expression of the BPMN model cannot be evaluated; the call is not started
 */
export function startCall(execution: Execution, key: number, call: AgentCall): void {
  if (call.problem !== null) {
    refuseCall(execution, key, call, call.problem.code, { error: call.problem.code, message: call.problem.message });
    return;
  }
  const assessment = assessCall(execution, execution.get(key), call);
  const isApproved = assessment.needs !== 'refusal' && call.approvedDigest === assessment.digest;
  recordCallRisk(execution, execution.get(key), assessment.decision);
  if (isApproved) {
    dispatchCall(execution, key, assessment.call, assessment.decision.toolConstraints);
    return;
  }
  const { approvedDigest: _approvedDigest, ...proposed } = assessment.call;
  const openedCall: AgentCall = {
    ...proposed,
    round: proposed.approvalId === undefined ? proposed.round : proposed.round + 1,
  };
  emitCallRequested(execution, key, { ...assessment, call: openedCall });
  if (assessment.needs === 'refusal')
    refuseCall(execution, key, openedCall, 'policy_denied', { error: 'policy_denied', message: assessment.reason });
  else if (assessment.needs === 'approval') openCallApproval(execution, key, { ...assessment, call: openedCall });
  else dispatchCall(execution, key, openedCall, assessment.decision.toolConstraints);
}

/**
 * Records in the history how a call was assessed.
 *
 * @param comment the comment of the person who has just edited the call
 */
export function emitCallRequested(
  execution: Execution,
  key: number,
  { call, decision, needs, recordedRequest }: CallAssessment,
  comment: string | null = null,
): void {
  const { callId, tool, toolDigest, effect, reversible, taint, round, hosts, ports = [] } = call;
  execution.emit(
    'agent.call.requested',
    execution.get(key),
    {
      callId,
      tool,
      toolDigest,
      effect,
      reversible,
      taint: [...taint],
      round,
      policyDecision: toDecisionData(decision),
      needs,
      edited: call.editedBy !== undefined,
    },
    {
      arguments: call.arguments,
      hosts: [...hosts],
      ...(ports.length === 0 ? {} : { ports: [...ports] }),
      ...recordedRequest,
      ...(comment === null ? {} : { comment }),
    },
  );
}

/** Offers the call to a worker, or opens the question if the call is `human.ask`. */
export function dispatchCall(
  execution: Execution,
  key: number,
  call: AgentCall,
  toolConstraints: ToolConstraints,
): void {
  if (call.question !== null) {
    putCall(execution, key, { ...call, status: 'question' });
    openCallQuestion(execution, key, call);
    return;
  }
  const { callId, tool } = call;
  openJob(execution, requireAgentTask(execution, execution.get(key)), key, {
    jobType: AGENT_CALL_JOB_TYPE,
    toolConstraints,
    callId,
  });
  putCall(execution, key, { ...call, status: 'job' });
  const approvedDigest = call.approvedDigest ?? null;
  execution.emit('agent.call.dispatched', execution.get(key), {
    callId,
    tool,
    approvalId: approvedDigest === null ? null : (call.approvalId ?? null),
    approvedDigest,
  });
}

/** Opens the question of a `human.ask` call. */
function openCallQuestion(execution: Execution, key: number, { callId, question }: AgentCall): void {
  if (question === null) throw new Error(`Call ${callId} has no question.`);
  const { dueInMs, ...draft } = question;
  openQuestion(execution, key, {
    purpose: 'ask',
    callId,
    ...draft,
    dueAt: dueInMs === null ? null : execution.now + dueInMs,
  });
}
