import { inject, injectable, multiInject, optional, type ServiceIdentifier } from 'inversify';
import { advanceInPieces } from '@countersign/interpreter';
import {
  AgentRuntimePort,
  ArtifactStorePort,
  ClockPort,
  ConnectorContribution,
  JobHandlerContribution,
  LoggerPort,
  PLUGIN_API_VERSION,
  PolicyPort,
  type ReceivedEvent,
} from '@countersign/core/plugin';
import {
  type CommandResponse,
  type AnswerQuestionRequest,
  type BroadcastSignalRequest,
  type CancelRunRequest,
  type ClaimedJob,
  type CorrelatedMessage,
  type CorrelateMessageRequest,
  type DecideApprovalRequest,
  type DelegateApprovalRequest,
  type DeployedDecisions,
  type DeployedVersion,
  type DeployedWorkflow,
  type EnginePort,
  type EngineStatus,
  type ErasePersonalDataRequest,
  type EvaluateConditionsRequest,
  type EvaluatedConditions,
  type MigrateRunRequest,
  type PlannedCommand,
  type PlannedDeployment,
  type ReassignApprovalRequest,
  type ReceiveEventRequest,
  type RecordArtifactRequest,
  type RecoverRunRequest,
  type RequestContext,
  type RunWrite,
  type StartRunRequest,
  type StartTimerRecord,
  StoragePort,
} from '@countersign/core/ports';
import {
  type Actor,
  type AdvanceResult,
  runTimeSliced,
  isUuid,
  createRandomId,
  toRecordedActor,
} from '@countersign/model';
import type { CommandAction } from './command-actions.js';
import { CommandEvaluator } from './command-evaluator.js';
import { CommandQueue } from './command-queue.js';
import { buildCancelCommand, buildMigrateCommand, buildPlannedCommand, buildRecoverCommand } from './commands.js';
import { DecisionCache } from './decision-cache.js';
import type { PreparedWrite } from './build-run-write.js';
import { Initiators } from './messaging/initiators.js';
import { OutboxDispatcher } from './messaging/outbox-dispatcher.js';
import { buildStartCommand } from './messaging/start-run-by-event.js';
import { InboundEventDispatcher } from './messaging/inbound-event-dispatcher.js';
import { MessageLoop } from './messaging/message-loop.js';
import { Messages } from './messaging/messages.js';
import { StartConditions } from './messaging/start-conditions.js';
import { deploy, planDeployment } from './deployment/deploy.js';
import { deployDecisions } from './deployment/deploy-decisions.js';
import { StartTimers } from './deployment/start-timers.js';
import { DEFAULT_ENGINE_OPTIONS, type EngineOptions } from './engine-options.js';
import { createAgentExecutors } from './jobs/agent-executors.js';
import { Destinations } from './jobs/destinations.js';
import { createHandlerExecutors } from './jobs/handler-executors.js';
import { JobClaimer } from './jobs/job-claimer.js';
import { JobResults } from './jobs/job-results.js';
import { JobRunner } from './jobs/job-runner.js';
import type { JobExecutor } from './jobs/job-executor.js';
import type { QueuedResponse, PendingCommand } from './pending-command.js';
import { runNotFound } from './refusals.js';
import { toOutgoingRow } from './group-requests-by-table.js';
import { toCachedRun, RunCache, type CachedRun } from './run-cache.js';
import { TimerLoop, type TimerSource } from './timer-loop.js';
import { isObsolete } from './error-classification.js';
import { WorkflowCache, type CompiledVersion } from './workflow-cache.js';

/** Longest pause between attempts to fire the timers of a run, in ms. Other timers of the run wait as well. */
const MAX_TIMER_PAUSE_MS = 60_000;
/** Longest pause between these attempts after a transient error, in ms. */
const MAX_TRANSIENT_PAUSE_MS = 2_000;

type DueTimer = Awaited<ReturnType<StoragePort['listDueTimers']>>[number];

export const EngineOptionsToken: ServiceIdentifier<EngineOptions> = Symbol.for(
  '@countersign/engine-embedded:EngineOptions',
);

/**
 * Durable engine that runs the interpreter and stores its results. Each command is atomic, and one transaction can
 * contain many commands.
 */
@injectable()
export class EmbeddedEngine implements EnginePort {
  readonly name = 'embedded';
  private readonly instanceId: string;
  private readonly startedAt: number;
  private readonly workflows: WorkflowCache;
  private readonly decisions: DecisionCache;
  private readonly runs: RunCache;
  private readonly evaluator: CommandEvaluator;
  private readonly queue: CommandQueue;
  private readonly runner: JobRunner;
  private readonly claimer: JobClaimer;
  private readonly timers: TimerLoop<DueTimer>;
  private readonly startTimers: TimerLoop<StartTimerRecord>;
  private readonly messages: Messages;
  private readonly inboundEventDispatcher: InboundEventDispatcher;
  private readonly startConditions: StartConditions;
  private readonly messageLoop: MessageLoop;
  private readonly dispatcher: OutboxDispatcher;
  private readonly commitListeners: (() => void)[] = [];

  private readonly maxActiveJobs: number;

  constructor(
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(PolicyPort) policy: PolicyPort,
    @inject(ClockPort) private readonly clock: ClockPort,
    @inject(LoggerPort) log: LoggerPort,
    @inject(ArtifactStorePort) artifacts: ArtifactStorePort,
    @multiInject(JobHandlerContribution) @optional() handlers: JobHandlerContribution[] = [],
    @multiInject(ConnectorContribution) @optional() connectors: ConnectorContribution[] = [],
    @inject(AgentRuntimePort) @optional() agents: AgentRuntimePort | undefined = undefined,
    @inject(EngineOptionsToken) @optional() options: EngineOptions = DEFAULT_ENGINE_OPTIONS,
  ) {
    this.startedAt = clock.now();
    this.instanceId = createRandomId(this.startedAt);
    this.workflows = new WorkflowCache(storage);
    this.decisions = new DecisionCache(storage);
    this.maxActiveJobs = options.maxActiveJobs;
    this.runs = new RunCache(options.cachedRuns);
    const results = new JobResults(storage, artifacts, (command) => this.queue.submit(command));
    const destinations = new Destinations(handlers, agents);
    // Handlers come last: a plugin that handles agent steps itself replaces the built-in agent work.
    const executors = new Map<string, JobExecutor>([
      ...(agents === undefined
        ? []
        : createAgentExecutors(agents, results.agentResults, { storage, contents: artifacts, policy, destinations })),
      ...createHandlerExecutors(handlers, results, destinations),
    ]);
    this.runner = new JobRunner(executors, results, log, options.maxActiveJobs);
    const effects = new Map(connectors.map(({ jobType, effect }) => [jobType, effect]));
    const jobs = {
      resolveEffect: (jobType: string) => effects.get(jobType),
      resolveDestination: destinations.find,
      reserveOwner: (jobType: string, runId: string) => (this.runner.reserve(jobType, runId) ? this.instanceId : null),
    };
    this.evaluator = new CommandEvaluator(storage, this.workflows, this.decisions, policy, clock, jobs, options);
    const listener = {
      committed: (write: RunWrite, preparedWrite: PreparedWrite, workflow: CompiledVersion) =>
        this.handleCommitted(write, preparedWrite, workflow),
      discarded: (write: RunWrite) => this.unreserve(write),
    };
    this.queue = new CommandQueue(storage, this.runs, this.evaluator, listener, clock, log, options);
    this.claimer = new JobClaimer(storage, this.runner, log, this.instanceId, options, (jobs) =>
      this.startClaimed(jobs),
    );
    const timers: TimerSource<DueTimer> = {
      listDue: (now, limit, excludedRunIds) => storage.listDueTimers(now, limit, excludedRunIds),
      findNextDueTime: (now) => storage.nextTimerAt(now),
      getId: ({ timerId }) => timerId,
      getOwner: ({ runId }) => runId,
      isCached: ({ runId }) => this.runs.has(runId),
    };
    const { retryBackoffMs, retryBackoffMaxMs } = options.settings;
    const backoff = {
      firstMs: retryBackoffMs,
      maxMs: Math.min(MAX_TIMER_PAUSE_MS, retryBackoffMaxMs),
      maxTransientMs: Math.min(MAX_TRANSIENT_PAUSE_MS, retryBackoffMaxMs),
    };
    const timerOptions = { instanceId: this.instanceId, pollMs: options.pollMs, backoff };
    this.timers = new TimerLoop('timers', timerOptions, timers, clock, log, (timer) => this.fireTimer(timer));
    const startTimerId = ({ workflowId, elementId }: StartTimerRecord): string => `${workflowId} ${elementId}`;
    const startTimers = {
      listDue: async (now: number, limit: number, excludedIds: readonly string[]) =>
        (await storage.listDueStartTimers(now, limit)).filter((timer) => !excludedIds.includes(startTimerId(timer))),
      findNextDueTime: (now: number) => storage.nextStartTimerAt(now),
      getId: startTimerId,
      getOwner: startTimerId,
    };
    const startTimerRunner = new StartTimers(storage, this.queue, clock, log, TIMER_ACTOR);
    this.startTimers = new TimerLoop('start timers', timerOptions, startTimers, clock, log, (timer) =>
      startTimerRunner.fire(timer),
    );
    const initiators = new Initiators(storage);
    // Repeating a delivery is harmless, so the lease can be short. Work of a server that died is then picked up sooner.
    const leaseMs = options.leaseMs / 3;
    this.messages = new Messages(storage, this.queue, initiators, clock, log, leaseMs);
    this.inboundEventDispatcher = new InboundEventDispatcher(
      storage,
      this.queue,
      this.messages.correlator,
      clock,
      log,
      leaseMs,
    );
    this.startConditions = new StartConditions(storage, this.workflows, this.queue, clock);
    this.messageLoop = new MessageLoop(storage, this.messages.correlator, clock, log, options, leaseMs);
    this.dispatcher = new OutboxDispatcher(
      storage,
      this.queue,
      this.workflows,
      this.messages,
      initiators,
      log,
      options,
    );
  }

  async start(): Promise<void> {
    this.claimer.start();
    this.timers.start();
    this.startTimers.start();
    this.dispatcher.start();
    this.messageLoop.start();
  }

  async stop(graceMs: number): Promise<void> {
    this.runner.stopAccepting();
    await Promise.all([
      this.timers.stop(),
      this.startTimers.stop(),
      this.dispatcher.stop(),
      this.messageLoop.stop(),
      this.claimer.stopClaiming(),
    ]);
    // A commit in progress may still assign a job to this process. That job starts, and the stop waits for it.
    await this.queue.waitUntilIdle();
    await this.runner.stop(graceMs);
    await this.claimer.stopRenewing();
    await this.queue.waitUntilIdle();
    await this.storage.releaseJobs(this.instanceId);
  }

  async deploy(request: { bpmnXml: string; context: RequestContext }): Promise<DeployedWorkflow> {
    const { savedVersions, warnings } = await deploy(this.storage, request, this.clock.now());
    const [first, ...alsoDeployed] = savedVersions.map(({ version, created }): DeployedVersion => {
      this.workflows.forgetNewest(version.workflowId);
      const { bpmnXml: _xml, ...workflow } = version;
      return { workflow, created };
    });
    if (first === undefined) throw new Error('a file was compiled and saved without a workflow');
    this.startTimers.wake();
    return { ...first, alsoDeployed, warnings };
  }

  planDeployment(bpmnXml: string): Promise<PlannedDeployment> {
    return planDeployment(this.storage, bpmnXml, this.clock.now());
  }

  async deployDecisions(request: { dmnXml: string; context: RequestContext }): Promise<DeployedDecisions> {
    const deployed = await deployDecisions(this.storage, request, this.clock.now());
    this.decisions.forget(deployed.decisions);
    return deployed;
  }

  startRun(request: StartRunRequest): Promise<CommandResponse> {
    const runId = this.queue.newRunId();
    const { workflowId, version, onlyNewest = version === undefined, context } = request;
    const { businessKey, inputs } = request;
    return this.submit(request, 'run.start', { kind: 'new', runId, workflowId, version, onlyNewest }, (workflow) => {
      return { ...buildStartCommand(workflow, runId, context.actor), businessKey, inputs };
    });
  }

  decideApproval(request: DecideApprovalRequest): Promise<CommandResponse> {
    const { context, respond, approvalId, decision, comment, expectedDigest, expectedRound, edited, signature, shown } =
      request;
    const { actor } = context;
    const signingKey = signature?.kind === 'holds' ? { keyId: signature.statement.keyId, subject: actor.id } : null;
    return this.queue.submit({
      target: { kind: 'approval', approvalId },
      context,
      respond,
      action: 'approval.vote',
      details: {
        ...(edited === undefined ? {} : { edited: true, tool: edited.tool }),
        ...(signingKey === null ? {} : { keyId: signingKey.keyId }),
      },
      signingKey,
      command: () => ({
        type: 'approval.vote',
        actor,
        approvalId,
        decision,
        comment,
        expectedDigest,
        expectedRound,
        ...(edited === undefined ? {} : { edited }),
        ...(signature === undefined ? {} : { signature }),
        ...(shown === undefined ? {} : { shown }),
      }),
    });
  }

  delegateApproval(request: DelegateApprovalRequest): Promise<CommandResponse> {
    const { approvalId, to, until } = request;
    const { actor } = request.context;
    return this.submit(request, 'approval.delegate', { kind: 'approval', approvalId }, () => {
      return { type: 'approval.delegate', actor, approvalId, to, until };
    });
  }

  reassignApproval(request: ReassignApprovalRequest): Promise<CommandResponse> {
    const { approvalId, candidateUsers, candidateGroups, comment } = request;
    const { actor } = request.context;
    return this.submit(request, 'approval.reassign', { kind: 'approval', approvalId }, () => {
      return { type: 'approval.reassign', actor, approvalId, candidateUsers, candidateGroups, comment };
    });
  }

  answerQuestion(request: AnswerQuestionRequest): Promise<CommandResponse> {
    const { questionId, answer } = request;
    const { actor } = request.context;
    return this.submit(request, 'question.answer', { kind: 'question', questionId }, () => {
      return { type: 'question.answer', actor, questionId, answer };
    });
  }

  cancelRun(request: CancelRunRequest): Promise<CommandResponse> {
    return this.submit(request, 'run.cancel', { kind: 'run', runId: request.runId }, () => buildCancelCommand(request));
  }

  recoverRun(request: RecoverRunRequest): Promise<CommandResponse> {
    return this.submit(request, 'run.recover', { kind: 'run', runId: request.runId }, () =>
      buildRecoverCommand(request),
    );
  }

  migrateRun(request: MigrateRunRequest): Promise<CommandResponse> {
    const { context, respond, runId, version: toVersion } = request;
    return this.queue.submit({
      target: { kind: 'run', runId },
      context,
      respond,
      action: 'run.migrate',
      toVersion,
      command: (_from, to) => buildMigrateCommand(request, to),
    });
  }

  erasePersonalData(request: ErasePersonalDataRequest): Promise<CommandResponse> {
    const { context, respond, runId, ...erasure } = request;
    const { actor } = context;
    const details = { scope: erasure.scope.kind, reason: erasure.reason };
    return this.queue.submit({
      target: { kind: 'run', runId },
      context,
      respond,
      action: 'personal_data.erase',
      details,
      command: () => ({ type: 'personal_data.erase', actor, ...erasure }),
    });
  }

  async plan(planned: PlannedCommand): Promise<AdvanceResult> {
    const { runId } = planned.command;
    const stored = isUuid(runId) ? (await this.storage.loadRuns([runId])).get(runId) : undefined;
    if (stored === undefined) throw runNotFound(runId);
    const { state } = toCachedRun(stored);
    const workflow = await this.workflows.get(state.workflowId, state.workflowVersion);
    const target =
      planned.kind === 'migrate' ? await this.workflows.get(state.workflowId, planned.command.version) : undefined;
    const command = buildPlannedCommand(planned, target);
    const context = await this.evaluator.buildContext(state, workflow, target);
    return (
      await this.decisions.runWithDecisions(
        target?.graph ?? workflow.graph,
        (decisions) => runTimeSliced(advanceInPieces(workflow.graph, state, command, { ...context, decisions })),
        'stored',
      )
    ).value;
  }

  recordArtifact(request: RecordArtifactRequest): Promise<CommandResponse> {
    const { runId, artifact, context } = request;
    const artifactId = createRandomId(this.clock.now());
    return this.submit(request, 'artifact.upload', { kind: 'run', runId }, () => {
      return { type: 'artifact.record', actor: context.actor, artifactId, ...artifact };
    });
  }

  async correlateMessage(request: CorrelateMessageRequest): Promise<CorrelatedMessage> {
    return this.messages.publish({ ...request, messageId: request.messageId ?? createRandomId(this.clock.now()) });
  }

  receiveEvent(request: ReceiveEventRequest): Promise<ReceivedEvent> {
    return this.inboundEventDispatcher.receive(request);
  }

  redeliverEvent({ eventId, context }: { eventId: string; context: RequestContext }): Promise<ReceivedEvent> {
    return this.inboundEventDispatcher.redeliver(eventId, context);
  }

  async broadcastSignal({ context, signalName, payload }: BroadcastSignalRequest): Promise<{ signalId: string }> {
    const now = this.clock.now();
    const messageId = createRandomId(now);
    await this.storage.send([toOutgoingRow({ kind: 'signal', messageId, signalName, payload }, messageId, now)], {
      at: now,
      actor: toRecordedActor(context.actor),
      action: 'signal.broadcast' satisfies CommandAction,
      target: { type: 'signal', id: messageId, name: signalName },
      result: 'ok',
      from: context.from,
      data: { traceId: context.traceId },
    });
    this.dispatcher.wake();
    return { signalId: messageId };
  }

  evaluateConditions(request: EvaluateConditionsRequest): Promise<EvaluatedConditions> {
    return this.startConditions.evaluate(request);
  }

  onCommit(listener: () => void): void {
    this.commitListeners.push(listener);
  }

  status(): EngineStatus {
    return {
      mode: 'embedded',
      version: PLUGIN_API_VERSION,
      instanceId: this.instanceId,
      startedAt: this.startedAt,
      workers: this.runner.activeByType().map((worker) => ({ ...worker, concurrency: this.maxActiveJobs })),
      external: false,
      failing: [
        { work: 'timers', count: this.timers.failingCount },
        { work: 'start_timers', count: this.startTimers.failingCount },
        { work: 'run_messages', count: this.dispatcher.failingCount },
      ],
      commandsNotStorable: this.queue.notStorableCount,
    };
  }

  private submit(
    request: { readonly context: RequestContext; readonly respond: PendingCommand['respond'] },
    action: CommandAction,
    target: PendingCommand['target'],
    command: PendingCommand['command'],
  ): Promise<QueuedResponse> {
    return this.queue.submit({ target, context: request.context, respond: request.respond, action, command });
  }

  private async fireTimer({ timerId, runId }: { timerId: string; runId: string }): Promise<void> {
    const context = { actor: TIMER_ACTOR, from: null, traceId: null };
    try {
      await this.submit({ context, respond: null }, 'timer.fire', { kind: 'run', runId }, () => {
        return { type: 'timer.fire', actor: TIMER_ACTOR, timerId };
      });
    } catch (error) {
      if (!isObsolete(error)) throw error;
    }
  }

  /** Starts claimed jobs. Many may belong to one run with a large state, so each run is loaded once. */
  private async startClaimed(jobs: readonly ClaimedJob[]): Promise<void> {
    const runs = new Map<string, CachedRun>();
    for (const [runId, stored] of await this.storage.loadRuns([...new Set(jobs.map((job) => job.runId))])) {
      const run = toCachedRun(stored);
      runs.set(runId, run);
      this.runs.put(runId, run);
    }
    await Promise.all(
      jobs.map(async (job) => {
        const state = runs.get(job.runId)?.state;
        if (state !== undefined)
          this.runner.start(job, state, await this.workflows.get(state.workflowId, state.workflowVersion));
      }),
    );
  }

  private handleCommitted(write: RunWrite, preparedWrite: PreparedWrite, workflow: CompiledVersion): void {
    this.unreserve(write);
    for (const { owner, jobId, stepId, elementId, jobType, attempt, toolConstraints, callId } of write.jobsOffered) {
      if (owner === null) continue;
      const job = { jobId, runId: write.run.runId, stepId, elementId, jobType, attempt, toolConstraints, epoch: 1 };
      this.runner.start(callId === undefined ? job : { ...job, callId }, preparedWrite.result.state, workflow);
    }
    for (const jobId of write.jobsWithdrawn) {
      if (jobId !== write.fence?.jobId) this.runner.abort(jobId, 'the step was cancelled');
    }
    if (write.jobsOffered.some((job) => job.owner === null)) this.claimer.wake();
    for (const job of write.jobsRescheduled) this.claimer.wakeIn(job.dueAt - this.clock.now());
    if (write.timersArmed.length > 0) this.timers.wake();
    if (write.outgoing.length > 0) this.dispatcher.wake();
    if (write.subscriptionsOpened.length > 0 || write.startKey?.ends === true) this.messageLoop.wake();
    for (const listener of this.commitListeners) listener();
  }

  private unreserve(write: RunWrite): void {
    for (const job of write.jobsOffered) if (job.owner !== null) this.runner.releaseReservation(write.run.runId);
  }
}

const TIMER_ACTOR: Actor = Object.freeze({ type: 'system', id: 'timer', name: 'Timer' });
