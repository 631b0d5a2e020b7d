import { AGENT_JOB_TYPE } from '../../domain/agent.js';
import type { PolicyDecision } from '../../domain/policy.js';
import type { ElementInstance } from '../../domain/run-state.js';
import { constrain } from '../elements/job-task.js';
import type { Execution } from '../execution.js';
import { goOn } from './go-on.js';

/** An agent goes on where it was: with the turns and the calls that are recorded, and what the policy says of its step now. */
export function resumeAgent(execution: Execution, instance: ElementInstance, decision: PolicyDecision | null): void {
  constrain(execution, instance, decision?.toolConstraints ?? null);
  const hasTurn = instance.waits?.some((wait) => wait.kind === 'job' && wait.jobType === AGENT_JOB_TYPE) === true;
  if (!hasTurn) goOn(execution, instance.key);
}
