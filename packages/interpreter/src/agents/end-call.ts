import {
  type AgentCall,
  type CallResult,
  canonicalJson,
  type Json,
  sha256Hex,
  mergeTaintSources,
} from '@countersign/model';
import type { Execution } from '../execution.js';
import { requireAgent, updateAgent, putCall } from './agent-state.js';

/** Records the result of a call for the language model. The result's taint applies to all later output of the model. */
export function completeCall(
  execution: Execution,
  key: number,
  call: AgentCall,
  { content, isError, taint }: CallResult,
): void {
  const sources = mergeTaintSources(taint);
  execution.emit(
    'agent.call.completed',
    execution.get(key),
    {
      callId: call.callId,
      tool: call.tool,
      isError,
      contentDigest: `sha256:${sha256Hex(canonicalJson(content))}`,
      taint: [...sources],
    },
    { toolCallId: call.toolCallId, content },
  );
  updateAgent(execution, key, { taint: mergeTaintSources(requireAgent(execution, key).taint, sources) });
  markCallDone(execution, key, call);
}

/** Refuses a call and returns the reason to the language model. */
export function refuseCall(execution: Execution, key: number, call: AgentCall, code: string, content: Json): void {
  const approvalId = isRefusedByPerson(code) ? (call.approvalId ?? null) : null;
  execution.emit(
    'agent.call.refused',
    execution.get(key),
    { callId: call.callId, tool: call.tool, code, approvalId },
    { toolCallId: call.toolCallId, content },
  );
  markCallDone(execution, key, call);
}

export const APPROVAL_REJECTED = 'approval_rejected';
export const APPROVAL_CHANGES_REQUESTED = 'approval_changes_requested';

function isRefusedByPerson(code: string): boolean {
  return code === APPROVAL_REJECTED || code === APPROVAL_CHANGES_REQUESTED;
}

/**
 * Marks a call as done and removes its arguments, which the history contains. The call stays in the state until the
 * last call of the turn is done.
 */
function markCallDone(execution: Execution, key: number, call: AgentCall): void {
  putCall(execution, key, { ...call, status: 'done', arguments: {}, question: null });
}
