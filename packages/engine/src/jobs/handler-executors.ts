import { getVisibleVariables } from '@countersign/interpreter';
import { type Job, type JobHandlerContribution, type JsonObject, StartupError } from '@countersign/core/plugin';
import type { ClaimedJob } from '@countersign/core/ports';
import { readAgentName } from '@countersign/model';
import type { Destinations } from './destinations.js';
import { checkArtifact, toJobResult } from './job-values.js';
import type { JobExecutor } from './job-executor.js';
import { getMappedInputs } from './get-mapped-inputs.js';

/** Receiver of the results of job handlers. */
export interface HandlerResults {
  complete(job: ClaimedJob, output: JsonObject, agentName: string | null): Promise<unknown>;
  putArtifact(job: ClaimedJob, ...content: Parameters<Job['putArtifact']>): ReturnType<Job['putArtifact']>;
}

/**
 * Returns the executors of plugins by job type.
 *
 * @throws {StartupError} `duplicate_job_type`
 */
export function createHandlerExecutors(
  handlers: readonly JobHandlerContribution[],
  results: HandlerResults,
  destinations: Pick<Destinations, 'assertUnchanged'>,
): ReadonlyMap<string, JobExecutor> {
  const executors = new Map<string, JobExecutor>();
  for (const handler of handlers) {
    if (executors.has(handler.jobType)) {
      throw new StartupError('duplicate_job_type', `Two plugins handle the job type "${handler.jobType}".`);
    }
    executors.set(handler.jobType, createHandlerExecutor(handler, results, destinations));
  }
  return executors;
}

function createHandlerExecutor(
  handler: JobHandlerContribution,
  results: HandlerResults,
  destinations: Pick<Destinations, 'assertUnchanged'>,
): JobExecutor {
  return async (runningJob) => {
    const { job, state, instance, node, signal, currentClaim } = runningJob;
    const { headers } = node;
    destinations.assertUnchanged(runningJob);
    const output: unknown = await handler.execute({
      jobId: job.jobId,
      runId: job.runId,
      workflowId: state.workflowId,
      stepId: job.stepId,
      elementId: job.elementId,
      jobType: job.jobType,
      attempt: job.attempt,
      headers,
      // Copies: later commands are evaluated on the state, and a handler may modify its input.
      variables: structuredClone(getVisibleVariables((key) => state.instances[key], instance)),
      inputs: structuredClone(getMappedInputs(node.inputs, instance)),
      toolConstraints: job.toolConstraints,
      signal,
      putArtifact: async (name, content, contentType) => {
        checkArtifact(name, contentType);
        return results.putArtifact(currentClaim(), name, content, contentType);
      },
    });
    const result = toJobResult(output);
    return signal.aborted ? undefined : () => results.complete(currentClaim(), result, readAgentName(headers));
  };
}
