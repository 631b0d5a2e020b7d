import type { AgentCall, JobWait, LoseCallCommand, RecordCallCommand, ReproposeCallCommand } from '@countersign/model';
import type { Execution } from '../execution.js';
import { endJob, findJob } from '../jobs.js';
import { requireCall, putCall } from './agent-state.js';
import { askForCallOutcome } from './ask-for-call-outcome.js';
import { validateCall } from './validate-call.js';
import { completeCall } from './end-call.js';
import { continueAgent } from './continue-agent.js';

/** Records the result of a call, which the language model gets with the next turn. */
export function recordCall(execution: Execution, { jobId, result }: RecordCallCommand): void {
  const found = endCallJob(execution, jobId);
  if (found === undefined) return;
  completeCall(execution, found.key, found.call, result);
  continueAgent(execution, found.key);
}

/** Number of tool changes after which a call is refused, because the tool never stays the same. */
const MAX_TOOL_CHANGES = 10;
const UNSTABLE_TOOL = {
  code: 'tool_unsteady',
  message: `The tool changed ${MAX_TOOL_CHANGES} times before the call could be executed.`,
};

/**
 * Reassesses a call whose tool has changed since the assessment. An approval is void unless the subject is exactly the
 * same.
 */
export function reproposeCall(execution: Execution, { jobId, call: proposed }: ReproposeCallCommand): void {
  const found = endCallJob(execution, jobId);
  if (found === undefined) return;
  // Without ports, the new hosts imply them, and not the earlier ones.
  const { ports: _previousPorts, ...call } = found.call;
  const changes = (call.changes ?? 0) + 1;
  const validatedCall = validateCall(changes > MAX_TOOL_CHANGES ? { ...proposed, problem: UNSTABLE_TOOL } : proposed);
  const { callId, tool, toolDigest } = putCall(execution, found.key, {
    ...call,
    ...validatedCall,
    toolCallId: call.toolCallId,
    changes,
  });
  execution.emit('agent.call.changed', execution.get(found.key), { callId, tool, toolDigest });
  continueAgent(execution, found.key);
}

/** Records that the outcome of a call is unknown and asks an operator, because the call must not run twice. */
export function recordUnknownOutcome(execution: Execution, { jobId, message }: LoseCallCommand): void {
  const found = endCallJob(execution, jobId);
  if (found === undefined) return;
  const { key, call } = found;
  putCall(execution, key, { ...call, status: 'outcome' });
  const questionId = execution.nextId();
  execution.emit(
    'agent.call.lost',
    execution.get(key),
    { callId: call.callId, tool: call.tool, questionId },
    { message },
  );
  askForCallOutcome(execution, key, call, questionId);
}

function endCallJob(execution: Execution, jobId: string): { key: number; call: AgentCall } | undefined {
  const found = findJob(execution, jobId, isCallJob);
  if (found === undefined) return undefined;
  const { key } = endJob(execution, found);
  return { key, call: requireCall(execution, key, found.wait.callId ?? '') };
}

function isCallJob({ callId }: JobWait): boolean {
  return callId !== undefined;
}
