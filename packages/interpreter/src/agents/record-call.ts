import type { RecordCallCommand, ReproposeCallCommand } from '@countersign/model';
import type { Execution } from '../execution.js';
import { putCall } from './agent-state.js';
import { validateCall } from './validate-call.js';
import { completeCall } from './end-call.js';
import { endCallJob } from './end-call-job.js';
import { continueAgent } from './continue-agent.js';

/** Records the result of a call, which the language model receives with the next turn. */
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
  // If the new call has no ports, its hosts imply them, so the earlier ports are removed.
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
