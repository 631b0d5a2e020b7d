import { AGENT_JOB_TYPE, type ElementInstance, type PolicyDecision } from '@countersign/model';
import { constrain } from '../elements/job-task.js';
import type { Execution } from '../execution.js';
import { continueAgent } from './continue-agent.js';

/** An agent goes on where it was: with the turns and the calls that are recorded, and what the policy says of its step now. */
export function resumeAgent(execution: Execution, instance: ElementInstance, decision: PolicyDecision | null): void {
  constrain(execution, instance, decision?.toolConstraints ?? null);
  const hasTurn = instance.waits?.some((wait) => wait.kind === 'job' && wait.jobType === AGENT_JOB_TYPE) === true;
  if (!hasTurn) continueAgent(execution, instance.key);
}
