import { Readable } from 'node:stream';
import { inject, injectable, multiInject, optional, type ServiceIdentifier } from 'inversify';
import { advance, compileWorkflow, describeElements, isUuid, randomId, workflowDigest, type Command } from '@countersign/core/engine';
import {
  ArtifactStorePort,
  ClockPort,
  CountersignError,
  JobHandlerContribution,
  LoggerPort,
  PolicyPort,
  StoragePort,
  type Actor,
  type AdvanceResult,
  type Answer,
  type ArtifactRecord,
  type CancelRunRequest,
  type ClaimedJob,
  type CorrelateMessageRequest,
  type DecideApprovalRequest,
  type DelegateApprovalRequest,
  type DeployedWorkflow,
  type EnginePort,
  type EngineStatus,
  type JsonObject,
  type ReassignApprovalRequest,
  type RecordArtifactRequest,
  type RecoverRunRequest,
  type RequestContext,
  type RunWrite,
  type StartRunRequest,
} from '@countersign/core/plugin';
import type { CommandAction } from './command-actions.js';
import { CommandQueue } from './command-queue.js';
import { cancelCommand, recoverCommand } from './commands.js';
import type { Decided } from './decide.js';
import { DEFAULT_ENGINE_OPTIONS, type EngineOptions } from './engine-options.js';
import { jobArtifactId } from './job-artifact-id.js';
import { JobClaimer } from './job-claimer.js';
import { JobRunner } from './job-runner.js';
import type { JobFailure } from './job-values.js';
import type { CommandAnswer, PendingCommand } from './pending-command.js';
import { runNotFound } from './refusals.js';
import { fromStored, RunCache } from './run-cache.js';
import { TimerLoop } from './timer-loop.js';
import { WorkflowCache, type CompiledVersion } from './workflow-cache.js';

/** Largest artifact that a job may put, in bytes. */
const MAX_JOB_ARTIFACT_BYTES = 50 * 1024 * 1024;

export const EngineOptionsToken: ServiceIdentifier<EngineOptions> = Symbol.for('@countersign/engine-embedded:EngineOptions');

/** The durable engine: `advance()` on PostgreSQL, one transaction a command, many commands a transaction. */
@injectable()
export class EmbeddedEngine implements EnginePort {
  readonly name = 'embedded';
  private readonly instanceId: string;
  private readonly startedAt: number;
  private readonly workflows: WorkflowCache;
  private readonly runs: RunCache;
  private readonly queue: CommandQueue;
  private readonly runner: JobRunner;
  private readonly claimer: JobClaimer;
  private readonly timers: TimerLoop;
  private readonly commitListeners: (() => void)[] = [];

  private readonly maxActiveJobs: number;

  constructor(
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(PolicyPort) policy: PolicyPort,
    @inject(ClockPort) private readonly clock: ClockPort,
    @inject(LoggerPort) log: LoggerPort,
    @inject(ArtifactStorePort) private readonly artifacts: ArtifactStorePort,
    @multiInject(JobHandlerContribution) @optional() handlers: JobHandlerContribution[] = [],
    @inject(EngineOptionsToken) @optional() options: EngineOptions = DEFAULT_ENGINE_OPTIONS,
  ) {
    this.startedAt = clock.now();
    this.instanceId = randomId(this.startedAt);
    this.workflows = new WorkflowCache(storage);
    this.maxActiveJobs = options.maxActiveJobs;
    this.runs = new RunCache(options.cachedRuns);
    this.runner = new JobRunner(
      handlers,
      {
        complete: (job, output, agentName) => this.completeJob(job, output, agentName),
        fail: (job, failure) => this.failJob(job, failure),
        putArtifact: (job, name, content, contentType) => this.putArtifact(job, name, content, contentType),
      },
      log,
      options.maxActiveJobs,
    );
    this.queue = new CommandQueue(
      storage,
      policy,
      clock,
      this.workflows,
      this.runs,
      log,
      options,
      (jobType) => (this.runner.reserve(jobType) ? this.instanceId : null),
      {
        committed: (write, decided, workflow) => this.committed(write, decided, workflow),
        discarded: (write) => this.unreserve(write),
      },
    );
    this.claimer = new JobClaimer(storage, this.runner, log, this.instanceId, options, (job) => this.startClaimed(job));
    this.timers = new TimerLoop(storage, clock, log, options.pollMs, (timer) => this.fireTimer(timer));
  }

  async start(): Promise<void> {
    this.claimer.start();
    this.timers.start();
  }

  async stop(graceMs: number): Promise<void> {
    this.runner.refuse();
    await Promise.all([this.timers.stop(), this.claimer.stopClaiming()]);
    // A job that a commit under way gives to this process begins yet, and is waited for.
    await this.queue.drained();
    await this.runner.stop(graceMs);
    await this.claimer.stopRenewing();
    await this.queue.drained();
    await this.storage.releaseJobs(this.instanceId);
  }

  async deploy(request: { bpmnXml: string; context: RequestContext }): Promise<DeployedWorkflow> {
    const { graph } = await compileWorkflow(request.bpmnXml);
    const now = this.clock.now();
    const digest = workflowDigest(request.bpmnXml);
    const { version, created } = await this.storage.saveWorkflowVersion(
      {
        workflowId: graph.workflowId,
        digest,
        name: graph.name,
        description: graph.description,
        inputSchema: graph.inputSchema,
        elements: describeElements(graph).map((element) => ({ ...element })),
        bpmnXml: request.bpmnXml,
        deployedAt: now,
        deployedBy: request.context.actor.id,
      },
      {
        at: now,
        actor: request.context.actor,
        action: 'workflow.deploy' satisfies CommandAction,
        target: { type: 'workflow', id: graph.workflowId, digest },
        result: 'ok',
        from: request.context.from,
        data: { traceId: request.context.traceId },
      },
    );
    this.workflows.forgetNewest(graph.workflowId);
    const { bpmnXml: _xml, ...workflow } = version;
    return { workflow, created };
  }

  startRun(request: StartRunRequest): Promise<Answer> {
    const runId = randomId(this.clock.now());
    const { workflowId, version, onlyNewest = version === undefined, context } = request;
    return this.submit(request, 'run.start', { kind: 'new', runId, workflowId, version, onlyNewest }, (workflow) => {
      if (workflow === undefined) throw new Error('a run starts on a workflow');
      return {
        type: 'start',
        actor: context.actor,
        runId,
        workflowVersion: workflow.version,
        workflowDigest: workflow.digest,
        businessKey: request.businessKey,
        inputs: request.inputs,
      };
    });
  }

  decideApproval(request: DecideApprovalRequest): Promise<Answer> {
    const { approvalId, decision, comment, expectedDigest, expectedRound } = request;
    const { actor } = request.context;
    return this.submit(request, 'approval.vote', { kind: 'approval', approvalId }, () => {
      return { type: 'approval.vote', actor, approvalId, decision, comment, expectedDigest, expectedRound };
    });
  }

  delegateApproval(request: DelegateApprovalRequest): Promise<Answer> {
    const { approvalId, to, until } = request;
    const { actor } = request.context;
    return this.submit(request, 'approval.delegate', { kind: 'approval', approvalId }, () => {
      return { type: 'approval.delegate', actor, approvalId, to, until };
    });
  }

  reassignApproval(request: ReassignApprovalRequest): Promise<Answer> {
    const { approvalId, candidateUsers, candidateGroups, comment } = request;
    const { actor } = request.context;
    return this.submit(request, 'approval.reassign', { kind: 'approval', approvalId }, () => {
      return { type: 'approval.reassign', actor, approvalId, candidateUsers, candidateGroups, comment };
    });
  }

  cancelRun(request: CancelRunRequest): Promise<Answer> {
    return this.submit(request, 'run.cancel', { kind: 'run', runId: request.runId }, () => cancelCommand(request));
  }

  recoverRun(request: RecoverRunRequest): Promise<Answer> {
    return this.submit(request, 'run.recover', { kind: 'run', runId: request.runId }, () => recoverCommand(request));
  }

  async plan(request: Parameters<EnginePort['plan']>[0]): Promise<AdvanceResult> {
    const { runId } = request;
    const stored = isUuid(runId) ? (await this.storage.loadRuns([runId])).get(runId) : undefined;
    if (stored === undefined) throw runNotFound(runId);
    const { state } = fromStored(stored);
    const { graph } = await this.workflows.get(state.workflowId, state.workflowVersion);
    const command =
      request.kind === 'cancel'
        ? cancelCommand(request.command as CancelRunRequest)
        : recoverCommand(request.command as RecoverRunRequest);
    return advance(graph, state, command, this.queue.context());
  }

  recordArtifact(request: RecordArtifactRequest): Promise<Answer> {
    const { runId, artifact, context } = request;
    const artifactId = randomId(this.clock.now());
    return this.submit(request, 'artifact.upload', { kind: 'run', runId }, () => {
      return { type: 'artifact.record', actor: context.actor, artifactId, ...artifact };
    });
  }

  async correlateMessage(request: CorrelateMessageRequest): Promise<{ runIds: readonly string[] }> {
    const waiting = await this.storage.findSubscriptions(request.messageName, request.correlationKey);
    const runIds: string[] = [];
    const served = new Set<string>();
    for (const { workflowId, subscriptionId, runId } of waiting) {
      if (served.has(workflowId)) continue;
      if (!(await this.correlate(request, runId, subscriptionId))) continue;
      served.add(workflowId);
      runIds.push(runId);
    }
    return { runIds };
  }

  onCommit(listener: () => void): void {
    this.commitListeners.push(listener);
  }

  status(): EngineStatus {
    return {
      mode: 'embedded',
      version: '0.1.0',
      instanceId: this.instanceId,
      startedAt: this.startedAt,
      workers: this.runner.activeByType().map((worker) => ({ ...worker, concurrency: this.maxActiveJobs })),
      external: false,
    };
  }

  private submit(
    request: { readonly context: RequestContext; readonly respond: PendingCommand['respond'] },
    action: CommandAction,
    target: PendingCommand['target'],
    command: PendingCommand['command'],
    fence: PendingCommand['fence'] = null,
  ): Promise<CommandAnswer> {
    return this.queue.submit({ target, context: request.context, respond: request.respond, action, fence, command });
  }

  /** A waiter that went away meanwhile is no error: the next one is tried. */
  private async correlate(request: CorrelateMessageRequest, runId: string, subscriptionId: string): Promise<boolean> {
    const { context, payload } = request;
    try {
      await this.submit({ context, respond: null }, 'message.correlate', { kind: 'run', runId }, () => {
        return { type: 'message.correlate', actor: context.actor, subscriptionId, payload };
      });
      return true;
    } catch (error) {
      if (error instanceof CountersignError && GONE.has(error.code)) return false;
      throw error;
    }
  }

  private completeJob(job: ClaimedJob, output: JsonObject, agentName: string | null): Promise<CommandAnswer> {
    return this.submitForJob(job, 'job.complete', agentName, (actor) => {
      return { type: 'job.complete', actor, jobId: job.jobId, output, agentName };
    });
  }

  private failJob(job: ClaimedJob, failure: JobFailure): Promise<CommandAnswer> {
    return this.submitForJob(job, 'job.fail', null, (actor) => {
      return { type: 'job.fail', actor, jobId: job.jobId, ...failure };
    });
  }

  private submitForJob(
    job: ClaimedJob,
    action: CommandAction,
    agentName: string | null,
    command: (actor: Actor) => Command,
  ): Promise<CommandAnswer> {
    const { jobId, epoch, runId } = job;
    const context = workerContext(job, agentName);
    const target = { kind: 'run', runId } as const;
    return this.submit({ context, respond: null }, action, target, () => command(context.actor), { jobId, epoch });
  }

  /** A job that is done again puts the same thing once, and one whose lease was lost puts nothing. */
  private async putArtifact(
    job: ClaimedJob,
    name: string,
    content: Readable | Buffer | string,
    contentType: string,
  ): Promise<ArtifactRecord> {
    const stream = content instanceof Readable ? content : Readable.from([Buffer.from(content)]);
    const stored = await this.artifacts.put(stream, MAX_JOB_ARTIFACT_BYTES);
    const artifactId = jobArtifactId(job.jobId, name, stored.sha256);
    const before = (await this.storage.listArtifacts(job.runId)).find((each) => each.artifactId === artifactId);
    if (before !== undefined) return before;
    const answer = await this.submitForJob(job, 'artifact.upload', null, (actor) => {
      return { type: 'artifact.record', actor, artifactId, name, contentType, ...stored };
    });
    const artifact = answer.outcome?.artifact;
    if (artifact === undefined || artifact === null) throw new Error('an artifact that was recorded is in the outcome');
    return artifact;
  }

  private async fireTimer({ timerId, runId }: { timerId: string; runId: string }): Promise<void> {
    const context = { actor: TIMER_ACTOR, from: null, traceId: null };
    try {
      await this.submit({ context, respond: null }, 'timer.fire', { kind: 'run', runId }, () => {
        return { type: 'timer.fire', actor: TIMER_ACTOR, timerId };
      });
    } catch (error) {
      if (!(error instanceof CountersignError && GONE.has(error.code))) throw error;
    }
  }

  private async startClaimed(job: ClaimedJob): Promise<void> {
    const stored = (await this.storage.loadRuns([job.runId])).get(job.runId);
    if (stored === undefined) return;
    const run = fromStored(stored);
    this.runs.put(job.runId, run);
    this.runner.start(job, run.state, await this.workflows.get(run.state.workflowId, run.state.workflowVersion));
  }

  private committed(write: RunWrite, decided: Decided, workflow: CompiledVersion): void {
    this.unreserve(write);
    for (const job of write.jobsOffered) {
      if (job.owner === null) continue;
      this.runner.start({ ...job, runId: write.run.runId, epoch: 1 }, decided.result.state, workflow);
    }
    for (const jobId of write.jobsWithdrawn) {
      if (jobId !== write.fence?.jobId) this.runner.abort(jobId, 'the step was cancelled');
    }
    if (write.jobsOffered.some((job) => job.owner === null)) this.claimer.wake();
    for (const job of write.jobsRescheduled) this.claimer.wakeAt(job.dueAt - this.clock.now());
    if (write.timersArmed.length > 0) this.timers.wake();
    for (const listener of this.commitListeners) listener();
  }

  private unreserve(write: RunWrite): void {
    for (const job of write.jobsOffered) if (job.owner !== null) this.runner.unreserve();
  }
}

const TIMER_ACTOR: Actor = Object.freeze({ type: 'system', id: 'timer', name: 'Timer' });
const GONE: ReadonlySet<string> = new Set(['not_waiting', 'run_already_ended', 'run_not_found']);

function workerContext(job: ClaimedJob, agentName: string | null): RequestContext {
  const id = agentName === null ? `worker:${job.jobType}` : `agent:${agentName}`;
  return { actor: { type: 'service', id, name: agentName ?? job.jobType }, from: null, traceId: null };
}
