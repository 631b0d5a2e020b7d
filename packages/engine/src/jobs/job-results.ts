import { Readable } from 'node:stream';
import type { ArtifactStorePort, JsonObject } from '@countersign/core/plugin';
import type { ClaimedJob, RequestContext, StoragePort } from '@countersign/core/ports';
import {
  createJobActor,
  type Actor,
  type ArtifactRecord,
  type CallResult,
  type Command,
  deriveId,
  type FailJobCommand,
} from '@countersign/model';
import type { CommandAction } from '../commands/command-actions.js';
import type { QueuedResponse, NewCommand } from '../commands/pending-command.js';
import type { AgentResults, CallContext } from './agent-executors.js';
import type { HandlerResults } from './handler-executors.js';
import type { JobFailureReporter } from './run-job.js';
import type { JobError, JobFailure } from './job-values.js';

/** Maximum size of an artifact that a job stores, in bytes. */
const MAX_JOB_ARTIFACT_BYTES = 50 * 1024 * 1024;

type NewArtifact = Parameters<HandlerResults['putArtifact']> extends [ClaimedJob, ...infer Rest] ? Rest : never;

/** Submits job results as commands of their runs, each fenced by the lease of its job. */
export class JobResults implements HandlerResults, JobFailureReporter {
  /** Results of agent turns and tool calls. */
  readonly agentResults: AgentResults = {
    recordTurn: (job, turn) =>
      this.submit(job, 'agent.turn', turn.agent, {}, (actor) => ({
        type: 'agent.turn',
        actor,
        jobId: job.jobId,
        turn,
      })),
    failTurn: (job, failure, discarded) => this.fail(job, { ...failure, discarded }),
    recordCall: (job, callContext, result) => this.recordCall(job, callContext, result),
    recordNewProposal: (job, callContext, call) =>
      this.submit(job, 'agent.repropose', callContext.agentName, callDetails(callContext), (actor) => ({
        type: 'agent.repropose',
        actor,
        jobId: job.jobId,
        call,
      })),
    recordUnknownOutcome: (job, callContext, message) =>
      this.submit(job, 'agent.lose', callContext.agentName, callDetails(callContext), (actor) => ({
        type: 'agent.lose',
        actor,
        jobId: job.jobId,
        message,
      })),
    retryWithUnknownOutcome: (job, callContext, failure) =>
      this.submit(
        job,
        'job.fail',
        callContext.agentName,
        callDetails(callContext),
        (actor) => ({ type: 'job.fail', actor, jobId: job.jobId, ...failure }),
        true,
      ),
    putArtifact: (job, callContext, ...content) => this.storeArtifact(job, callContext, content),
  };

  constructor(
    private readonly storage: Pick<StoragePort, 'listArtifacts'>,
    private readonly contents: Pick<ArtifactStorePort, 'put'>,
    private readonly submitCommand: (command: NewCommand) => Promise<QueuedResponse>,
  ) {}

  complete(job: ClaimedJob, output: JsonObject, agentName: string | null): Promise<QueuedResponse> {
    return this.submit(job, 'job.complete', agentName, {}, (actor) => ({
      type: 'job.complete',
      actor,
      jobId: job.jobId,
      output,
      agentName,
    }));
  }

  fail(job: ClaimedJob, failure: JobFailure & Pick<FailJobCommand, 'discarded'>): Promise<QueuedResponse> {
    return this.submit(job, 'job.fail', failure.discarded?.at(-1)?.agent ?? null, {}, (actor) => ({
      type: 'job.fail',
      actor,
      jobId: job.jobId,
      ...failure,
    }));
  }

  throwError(job: ClaimedJob, error: JobError): Promise<QueuedResponse> {
    return this.submit(job, 'job.error', null, {}, (actor) => ({
      type: 'job.error',
      actor,
      jobId: job.jobId,
      ...error,
    }));
  }

  putArtifact(job: ClaimedJob, ...content: NewArtifact): Promise<ArtifactRecord> {
    return this.storeArtifact(job, null, content);
  }

  private recordCall(job: ClaimedJob, callContext: CallContext, result: CallResult): Promise<QueuedResponse> {
    const details = { ...callDetails(callContext), isError: result.isError };
    return this.submit(job, 'agent.call', callContext.agentName, details, (actor) => ({
      type: 'agent.call',
      actor,
      jobId: job.jobId,
      result,
    }));
  }

  /**
   * Stores an artifact. A repeated job or call stores the same artifact once, and a job whose lease was lost stores
   * none.
   */
  private async storeArtifact(
    job: ClaimedJob,
    callContext: CallContext | null,
    [name, content, contentType]: NewArtifact,
  ): Promise<ArtifactRecord> {
    const stream = content instanceof Readable ? content : Readable.from([Buffer.from(content)]);
    const stored = await this.contents.put(stream, MAX_JOB_ARTIFACT_BYTES);
    const artifactId = deriveId(job.callId ?? job.jobId, name, stored.sha256);
    const existing = (await this.storage.listArtifacts(job.runId)).find((each) => each.artifactId === artifactId);
    if (existing !== undefined) return existing;
    const details = callContext === null ? {} : callDetails(callContext);
    const response = await this.submit(job, 'artifact.upload', callContext?.agentName ?? null, details, (actor) => {
      return { type: 'artifact.record', actor, artifactId, name, contentType, ...stored };
    });
    const artifact = response.outcome?.artifact;
    if (artifact === undefined || artifact === null)
      throw new Error('the outcome does not contain the recorded artifact');
    return artifact;
  }

  private submit(
    job: ClaimedJob,
    action: CommandAction,
    agentName: string | null,
    details: JsonObject,
    command: (actor: Actor) => Command,
    hasUnknownOutcome = false,
  ): Promise<QueuedResponse> {
    const { jobId, epoch, runId } = job;
    const context = workerContext(job, agentName);
    return this.submitCommand({
      target: { kind: 'run', runId },
      context,
      action,
      details,
      fence: { jobId, epoch },
      hasUnknownOutcome,
      command: () => command(context.actor),
    });
  }
}

/** Returns the details of a call for the audit trail. Its arguments are in the history of the run. */
function callDetails({ call: { callId, tool, effect } }: CallContext): JsonObject {
  return { callId, tool, effect };
}

function workerContext(job: ClaimedJob, agentName: string | null): RequestContext {
  return { actor: createJobActor(job.jobType, agentName), from: null, traceId: null };
}
