import type { PolicyDecision } from '../../domain/policy.js';
import type { ElementInstance } from '../../domain/run-state.js';
import type { JobTask } from '../../domain/workflow-graph.js';
import type { Execution } from '../execution.js';
import { StepFailure } from '../incidents.js';
import { addWait } from '../steps.js';
import { evaluate, scopeOf } from '../variables.js';

/** Offers the work of a task to the workers (Zeebe: job-based tasks). */
export function offerJob(
  execution: Execution,
  node: JobTask,
  instance: ElementInstance,
  decision: PolicyDecision | null,
): void {
  const scope = scopeOf(execution, instance);
  const jobType = evaluate(node.jobType, scope);
  if (typeof jobType !== 'string' || jobType === '') {
    throw new StepFailure('job_type_invalid', `The job type of "${node.id}" must be a text, but it is ${JSON.stringify(jobType)}.`);
  }
  const retries = Number(evaluate(node.retries, scope));
  if (!Number.isInteger(retries) || retries < 1) {
    throw new StepFailure('job_retries_invalid', `The retries of "${node.id}" must be a whole number of at least 1.`);
  }
  const jobId = execution.nextId();
  addWait(execution, instance.key, { kind: 'job', jobId, jobType, retries });
  execution.request({
    type: 'job.offer',
    job: {
      jobId,
      stepId: instance.stepId,
      elementId: node.id,
      jobType,
      attempt: instance.attempt,
      toolConstraints: decision?.toolConstraints ?? null,
    },
  });
}
