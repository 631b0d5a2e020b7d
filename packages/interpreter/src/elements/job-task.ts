import {
  AGENT_JOB_TYPE,
  type ElementInstance,
  type JobTask,
  type PolicyDecision,
  type ToolConstraints,
} from '@countersign/model';
import type { Execution } from '../execution.js';
import { openJob } from '../jobs.js';
import { evaluateName } from '../names.js';
import { buildEvaluationScope } from '../variables.js';

/** Offers a task's job to the workers (Zeebe: job-based tasks). */
export function offerJob(
  execution: Execution,
  node: JobTask,
  instance: ElementInstance,
  decision: PolicyDecision | null,
): void {
  const scope = buildEvaluationScope(execution, instance);
  const jobType = evaluateName(node.jobType, scope, 'job_type_invalid', `The job type of "${node.id}"`);
  const toolConstraints = decision?.toolConstraints ?? null;
  if (jobType === AGENT_JOB_TYPE) storeToolConstraints(execution, instance, toolConstraints);
  openJob(execution, node, instance.key, { jobType, toolConstraints });
}

/** Stores the tool constraints of the step's policy decision. They apply to all turns and calls of the step. */
export function storeToolConstraints(
  execution: Execution,
  { key }: ElementInstance,
  constraints: ToolConstraints | null,
): void {
  const { toolConstraints: _before, ...instanceWithoutConstraints } = execution.get(key);
  execution.put(
    constraints === null || isUnconstrained(constraints)
      ? instanceWithoutConstraints
      : { ...instanceWithoutConstraints, toolConstraints: constraints },
  );
}

function isUnconstrained({ allowed, denied, requireApproval, limits }: ToolConstraints): boolean {
  return (
    allowed.length === 0 && denied.length === 0 && requireApproval.length === 0 && Object.keys(limits).length === 0
  );
}
