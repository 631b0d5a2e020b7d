import {
  AGENT_JOB_TYPE,
  type ElementInstance,
  type JobTask,
  type PolicyDecision,
  type ToolConstraints,
} from '@countersign/model';
import type { Execution } from '../execution.js';
import { offer } from '../jobs.js';
import { nameOf } from '../names.js';
import { scopeOf } from '../variables.js';

/** Offers a task's job to the workers (Zeebe: job-based tasks). */
export function offerJob(
  execution: Execution,
  node: JobTask,
  instance: ElementInstance,
  decision: PolicyDecision | null,
): void {
  const scope = scopeOf(execution, instance);
  const jobType = nameOf(node.jobType, scope, 'job_type_invalid', `The job type of "${node.id}"`);
  const toolConstraints = decision?.toolConstraints ?? null;
  if (jobType === AGENT_JOB_TYPE) constrain(execution, instance, toolConstraints);
  offer(execution, node, instance.key, { jobType, toolConstraints });
}

/** Stores the tool constraints of the step's policy decision. They apply to all turns and calls of the step. */
export function constrain(execution: Execution, { key }: ElementInstance, constraints: ToolConstraints | null): void {
  const { toolConstraints: _before, ...bare } = execution.get(key);
  execution.put(constraints === null || saysNothing(constraints) ? bare : { ...bare, toolConstraints: constraints });
}

function saysNothing({ allowed, denied, requireApproval, limits }: ToolConstraints): boolean {
  return (
    allowed.length === 0 && denied.length === 0 && requireApproval.length === 0 && Object.keys(limits).length === 0
  );
}
