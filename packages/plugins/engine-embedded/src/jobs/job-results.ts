import { Readable } from 'node:stream';
import type { ArtifactStorePort, JsonObject } from '@countersign/core/plugin';
import type { ClaimedJob, RequestContext, StoragePort } from '@countersign/core/ports';
import {
  type Actor,
  type ArtifactRecord,
  type CallResult,
  type Command,
  derivedId,
  type FailJobCommand,
} from '@countersign/model';
import type { CommandAction } from '../command-actions.js';
import type { QueuedResponse, NewCommand } from '../pending-command.js';
import type { AgentResults, CallContext } from './agent-work.js';
import type { HandlerResults } from './handler-work.js';
import type { JobFailures } from './job-runner.js';
import type { JobError, JobFailure } from './job-values.js';

/** Maximum size of an artifact that a job stores, in bytes. */
const MAX_JOB_ARTIFACT_BYTES = 50 * 1024 * 1024;

type NewArtifact = Parameters<HandlerResults['putArtifact']> extends [ClaimedJob, ...infer Rest] ? Rest : never;

/** Submits job results as commands of their runs, each fenced by the lease of its job. */
export class JobResults implements HandlerResults, JobFailures {
  /** Results of agent turns and tool calls. */
  readonly ofAgents: AgentResults = {
    turn: (job, turn) =>
      this.submit(job, 'agent.turn', turn.agent, {}, (actor) => ({
        type: 'agent.turn',
        actor,
        jobId: job.jobId,
        turn,
      })),
    failTurn: (job, failure, discarded) => this.fail(job, { ...failure, discarded }),
    call: (job, by, result) => this.call(job, by, result),
    repropose: (job, by, call) =>
      this.submit(job, 'agent.repropose', by.agentName, detailsOf(by), (actor) => ({
        type: 'agent.repropose',
        actor,
        jobId: job.jobId,
        call,
      })),
    lose: (job, by, message) =>
      this.submit(job, 'agent.lose', by.agentName, detailsOf(by), (actor) => ({
        type: 'agent.lose',
        actor,
        jobId: job.jobId,
        message,
      })),
    retryWithUnknownOutcome: (job, by, failure) =>
      this.submit(
        job,
        'job.fail',
        by.agentName,
        detailsOf(by),
        (actor) => ({ type: 'job.fail', actor, jobId: job.jobId, ...failure }),
        true,
      ),
    putArtifact: (job, by, ...content) => this.storeArtifact(job, by, content),
  };

  constructor(
    private readonly storage: Pick<StoragePort, 'listArtifacts'>,
    private readonly contents: Pick<ArtifactStorePort, 'put'>,
    private readonly queue: (command: NewCommand) => Promise<QueuedResponse>,
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

  private call(job: ClaimedJob, by: CallContext, result: CallResult): Promise<QueuedResponse> {
    const details = { ...detailsOf(by), isError: result.isError };
    return this.submit(job, 'agent.call', by.agentName, details, (actor) => ({
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
    by: CallContext | null,
    [name, content, contentType]: NewArtifact,
  ): Promise<ArtifactRecord> {
    const stream = content instanceof Readable ? content : Readable.from([Buffer.from(content)]);
    const stored = await this.contents.put(stream, MAX_JOB_ARTIFACT_BYTES);
    const artifactId = derivedId(job.callId ?? job.jobId, name, stored.sha256);
    const before = (await this.storage.listArtifacts(job.runId)).find((each) => each.artifactId === artifactId);
    if (before !== undefined) return before;
    const details = by === null ? {} : detailsOf(by);
    const answer = await this.submit(job, 'artifact.upload', by?.agentName ?? null, details, (actor) => {
      return { type: 'artifact.record', actor, artifactId, name, contentType, ...stored };
    });
    const artifact = answer.outcome?.artifact;
    if (artifact === undefined || artifact === null) throw new Error('an artifact that was recorded is in the outcome');
    return artifact;
  }

  private submit(
    job: ClaimedJob,
    action: CommandAction,
    agentName: string | null,
    details: JsonObject,
    command: (actor: Actor) => Command,
    isOpen = false,
  ): Promise<QueuedResponse> {
    const { jobId, epoch, runId } = job;
    const context = workerContext(job, agentName);
    return this.queue({
      target: { kind: 'run', runId },
      context,
      action,
      details,
      fence: { jobId, epoch },
      isOpen,
      command: () => command(context.actor),
    });
  }
}

/** Returns the details of a call for the audit trail. Its arguments are in the history of the run. */
function detailsOf({ call: { callId, tool, effect } }: CallContext): JsonObject {
  return { callId, tool, effect };
}

function workerContext(job: ClaimedJob, agentName: string | null): RequestContext {
  const id = agentName === null ? `worker:${job.jobType}` : `agent:${agentName}`;
  return { actor: { type: 'service', id, name: agentName ?? job.jobType }, from: null, traceId: null };
}
