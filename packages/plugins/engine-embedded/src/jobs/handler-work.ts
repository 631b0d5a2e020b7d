import { visibleVariables } from '@countersign/interpreter';
import { type Job, type JobHandlerContribution, type JsonObject, StartupError } from '@countersign/core/plugin';
import type { ClaimedJob } from '@countersign/core/ports';
import { agentNameOf } from '@countersign/model';
import type { Destinations } from './destinations.js';
import { checkArtifact, jobResult } from './job-values.js';
import type { JobExecutor } from './job-work.js';
import { mappedInputs } from './mapped-inputs.js';

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
export function handlerWork(
  handlers: readonly JobHandlerContribution[],
  results: HandlerResults,
  destinations: Pick<Destinations, 'refuseOthers'>,
): ReadonlyMap<string, JobExecutor> {
  const works = new Map<string, JobExecutor>();
  for (const handler of handlers) {
    if (works.has(handler.jobType)) {
      throw new StartupError('duplicate_job_type', `Two plugins handle the job type "${handler.jobType}".`);
    }
    works.set(handler.jobType, workOf(handler, results, destinations));
  }
  return works;
}

function workOf(
  handler: JobHandlerContribution,
  results: HandlerResults,
  destinations: Pick<Destinations, 'refuseOthers'>,
): JobExecutor {
  return async (hand) => {
    const { job, state, instance, node, signal, leased } = hand;
    const { headers } = node;
    destinations.refuseOthers(hand);
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
      variables: structuredClone(visibleVariables((key) => state.instances[key], instance)),
      inputs: structuredClone(mappedInputs(node.inputs, instance)),
      toolConstraints: job.toolConstraints,
      signal,
      putArtifact: async (name, content, contentType) => {
        checkArtifact(name, contentType);
        return results.putArtifact(leased(), name, content, contentType);
      },
    });
    const checked = jobResult(output);
    return signal.aborted ? undefined : () => results.complete(leased(), checked, agentNameOf(headers));
  };
}
