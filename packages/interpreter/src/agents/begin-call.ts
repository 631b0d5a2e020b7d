import { AGENT_CALL_JOB_TYPE, type AgentCall, type ToolConstraints } from '@countersign/model';
import { decisionData, recordCallRisk } from '../steps.js';
import type { Execution } from '../execution.js';
import { offer } from '../jobs.js';
import { openQuestion } from '../questions/open-question.js';
import { agentTask, putCall } from './agent-state.js';
import { openCallApproval } from './call-approval.js';
import { assessCall, type CallAssessment } from './assess-call.js';
import { refuseCall } from './end-call.js';

/**
 * Decides on a call and does what follows: it is made, people are asked, or it is refused. Again where it was void, or where
 * what it waited for failed; what was approved is made without asking again as long as it is the very same.
 *
 * @throws {StepFailure} where the policy, or the model of the workflow, gives no answer: then nothing has begun
 */
export function beginCall(execution: Execution, key: number, call: AgentCall): void {
  if (call.problem !== null) {
    refuseCall(execution, key, call, call.problem.code, { error: call.problem.code, message: call.problem.message });
    return;
  }
  const verdict = assessCall(execution, execution.get(key), call);
  const isApproved = verdict.needs !== 'refusal' && call.approvedDigest === verdict.digest;
  recordCallRisk(execution, execution.get(key), verdict.decision);
  if (isApproved) {
    dispatchCall(execution, key, verdict.call, verdict.decision.toolConstraints);
    return;
  }
  const { approvedDigest: _void, ...proposed } = verdict.call;
  const open: AgentCall = {
    ...proposed,
    round: proposed.approvalId === undefined ? proposed.round : proposed.round + 1,
  };
  emitCallRequested(execution, key, { ...verdict, call: open });
  if (verdict.needs === 'refusal')
    refuseCall(execution, key, open, 'policy_denied', { error: 'policy_denied', message: verdict.reason });
  else if (verdict.needs === 'approval') openCallApproval(execution, key, { ...verdict, call: open });
  else dispatchCall(execution, key, open, verdict.decision.toolConstraints);
}

/**
 * The history says what was decided on a call.
 *
 * @param comment what the person says who has just edited it
 */
export function emitCallRequested(
  execution: Execution,
  key: number,
  { call, decision, needs, asked }: CallAssessment,
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
      policyDecision: decisionData(decision),
      needs,
      edited: call.editedBy !== undefined,
    },
    {
      arguments: call.arguments,
      hosts: [...hosts],
      ...(ports.length === 0 ? {} : { ports: [...ports] }),
      ...asked,
      ...(comment === null ? {} : { comment }),
    },
  );
}

/** Lets a worker make the call, or asks the people whom the call is there to ask. */
export function dispatchCall(
  execution: Execution,
  key: number,
  call: AgentCall,
  toolConstraints: ToolConstraints,
): void {
  if (call.question !== null) {
    putCall(execution, key, { ...call, status: 'question' });
    askQuestionOf(execution, key, call);
    return;
  }
  const { callId, tool } = call;
  offer(execution, agentTask(execution, execution.get(key)), key, {
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

/** Asks the question of a call of `human.ask`. */
function askQuestionOf(execution: Execution, key: number, { callId, question }: AgentCall): void {
  if (question === null) throw new Error(`Call ${callId} asks nothing.`);
  const { dueInMs, ...draft } = question;
  openQuestion(execution, key, {
    purpose: 'ask',
    callId,
    ...draft,
    dueAt: dueInMs === null ? null : execution.now + dueInMs,
  });
}
