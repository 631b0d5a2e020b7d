import type { RecordUnknownOutcomeCommand } from '@countersign/model';
import type { Execution } from '../execution.js';
import { putCall } from './agent-state.js';
import { askForCallOutcome } from './ask-for-call-outcome.js';
import { endCallJob } from './end-call-job.js';

/** Records that the outcome of a call is unknown and asks an operator, because the call must not run twice. */
export function recordUnknownOutcome(execution: Execution, { jobId, message }: RecordUnknownOutcomeCommand): void {
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
