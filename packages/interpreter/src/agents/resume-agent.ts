import { AGENT_JOB_TYPE, type ElementInstance, type PolicyDecision } from '@countersign/model';
import { storeToolConstraints } from '../elements/job-task.js';
import type { Execution } from '../execution.js';
import { continueAgent } from './continue-agent.js';

/** Continues an agent with its recorded turns and calls, and with the current policy decision on its step. */
export function resumeAgent(execution: Execution, instance: ElementInstance, decision: PolicyDecision | null): void {
  storeToolConstraints(execution, instance, decision?.toolConstraints ?? null);
  const hasTurnJob = instance.waits?.some((wait) => wait.kind === 'job' && wait.jobType === AGENT_JOB_TYPE) === true;
  if (!hasTurnJob) continueAgent(execution, instance.key);
}
