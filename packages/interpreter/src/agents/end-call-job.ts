import type { AgentCall, JobWait } from '@countersign/model';
import type { Execution } from '../execution.js';
import { endJob, findJob } from '../jobs.js';
import { requireCall } from './agent-state.js';

/**
 * Ends the job of a call.
 *
 * @returns the call and the key of its element instance; `undefined` if the job is no longer active
 */
export function endCallJob(execution: Execution, jobId: string): { key: number; call: AgentCall } | undefined {
  const found = findJob(execution, jobId, isCallJob);
  if (found === undefined) return undefined;
  const { key } = endJob(execution, found);
  return { key, call: requireCall(execution, key, found.wait.callId ?? '') };
}

function isCallJob({ callId }: JobWait): boolean {
  return callId !== undefined;
}
