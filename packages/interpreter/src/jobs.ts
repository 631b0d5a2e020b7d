import type { ElementInstance, JobTask, JobWait, ToolConstraints } from '@countersign/model';
import type { Execution } from './execution.js';
import { StepFailure } from './incidents.js';
import { addWait, closeWaits } from './steps.js';
import { evaluate, buildEvaluationScope } from './variables.js';

export interface FoundJob {
  readonly instance: ElementInstance;
  readonly wait: JobWait;
}

/** Returns an active job. If its step has ended, refuses the command, so a late result has no effect. */
export function findJob(
  execution: Execution,
  jobId: string,
  isExpected: (wait: JobWait) => boolean = () => true,
): FoundJob | undefined {
  for (const instance of execution.getInstances()) {
    const wait = instance.waits?.find((each): each is JobWait => each.kind === 'job' && each.jobId === jobId);
    if (wait !== undefined && isExpected(wait)) return { instance, wait };
  }
  execution.refuse(
    'job_not_active',
    'The job is not active: its step has ended, or results of this kind of job are reported in another way.',
  );
  return undefined;
}

export function endJob(execution: Execution, { instance, wait }: FoundJob): ElementInstance {
  return closeWaits(execution, instance, (each) => each === wait);
}

/**
 * Offers a job to the workers.
 *
 * @throws {StepFailure} if the number of retries in the BPMN model is invalid
 */
export function openJob(
  execution: Execution,
  node: JobTask,
  key: number,
  { jobType, toolConstraints, callId }: { jobType: string; toolConstraints: ToolConstraints | null; callId?: string },
): void {
  const instance = execution.get(key);
  const retries = Number(evaluate(node.retries, buildEvaluationScope(execution, instance)));
  if (!Number.isInteger(retries) || retries < 1) {
    throw new StepFailure('job_retries_invalid', `The retries of "${node.id}" must be a whole number of at least 1.`);
  }
  const jobId = execution.nextId();
  addWait(execution, key, {
    kind: 'job',
    jobId,
    jobType,
    retries,
    ...(callId === undefined ? {} : { callId, attempt: 1 }),
  });
  execution.request({
    type: 'job.offer',
    job: {
      jobId,
      stepId: instance.stepId,
      elementId: node.id,
      jobType,
      attempt: callId === undefined ? instance.attempt : 1,
      toolConstraints,
      ...(callId === undefined ? {} : { callId }),
    },
  });
}
