import { advanceInPieces } from '@countersign/interpreter';
import type { ApiError, ReceivedEvent } from '@countersign/core/plugin';
import {
  EMBEDDED_ENGINE,
  type AnswerQuestionRequest,
  type BroadcastSignalRequest,
  type CancelRunRequest,
  type CommandResponse,
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
  type PlannedOutcome,
  type CommentOnApprovalRequest,
  type ReassignApprovalRequest,
  type ReceiveEventRequest,
  type RecordArtifactRequest,
  type RecoverRunRequest,
  type RequestContext,
  type RunSnapshot,
  type StartRunRequest,
  type StartTimerRecord,
} from '@countersign/core/ports';
import {
  type Actor,
  createRandomId,
  ENGINE_CAPABILITY_NAMES,
  type EngineCapability,
  isUuid,
  type RunState,
  runTimeSliced,
  toRecordedActor,
} from '@countersign/model';
import { DecisionCache } from './caches/decision-cache.js';
import { RunCache, toCachedRun } from './caches/run-cache.js';
import { WorkflowCache } from './caches/workflow-cache.js';
import type { CommandAction } from './commands/command-actions.js';
import { CommandEvaluator } from './commands/command-evaluator.js';
import { CommandQueue } from './commands/command-queue.js';
import {
  buildCancelCommand,
  buildMigrateCommand,
  buildPlannedCommand,
  buildRecoverCommand,
} from './commands/operator-commands.js';
import { toOutgoingRow } from './commands/group-requests-by-table.js';
import type { PendingCommand, QueuedResponse } from './commands/pending-command.js';
import type { CommitListener } from './commands/prepared-command.js';
import { isObsolete } from './commands/error-classification.js';
import { runNotFound } from './commands/refusals.js';
import { deployDecisions } from './deployment/deploy-decisions.js';
import { deploy, planDeployment } from './deployment/deploy.js';
import { StartTimers } from './deployment/start-timers.js';
import { BacklogLimit } from './backlog-limit.js';
import { EngineChoice } from './engine-choice.js';
import type { EngineDependencies } from './engine-dependencies.js';
import { createAgentExecutors } from './jobs/agent-executors.js';
import { Destinations } from './jobs/destinations.js';
import { createHandlerExecutors } from './jobs/handler-executors.js';
import type { JobExecutor } from './jobs/job-executor.js';
import { JobResults } from './jobs/job-results.js';
import type { JobParts } from './jobs/run-job.js';
import { InboundEventDispatcher } from './messaging/inbound-event-dispatcher.js';
import { Initiators } from './messaging/initiators.js';
import { MessageLoop } from './messaging/message-loop.js';
import { Messages } from './messaging/messages.js';
import { OutboxDispatcher } from './messaging/outbox-dispatcher.js';
import { StartConditions } from './messaging/start-conditions.js';
import { ServerRegistration } from './server-registration.js';
import { toRunSnapshot } from './to-run-snapshot.js';
import { buildStartCommand } from './messaging/start-run-by-event.js';

const DEFAULT_MAX_PENDING_ANNOUNCEMENTS = 10_000;
const TIMER_ACTOR: Actor = Object.freeze({ type: 'system', id: 'timer', name: 'Timer' });

/**
 * The part that all engines share. It executes each command with the interpreter and commits its effects in one
 * transaction, which can contain many commands. It also delivers the messages between runs. A subclass starts jobs and
 * fires timers.
 */
export abstract class CommandEngine implements EnginePort {
  abstract readonly name: string;
  /** The interpreter can do everything. */
  readonly capabilities: ReadonlySet<EngineCapability> = new Set(ENGINE_CAPABILITY_NAMES);
  protected readonly instanceId: string;
  protected readonly startedAt: number;
  protected readonly workflows: WorkflowCache;
  protected readonly runs: RunCache;
  protected readonly queue: CommandQueue;
  protected readonly jobs: JobParts;
  /** Delivers the messages between runs. */
  protected readonly outbox: OutboxDispatcher;
  private readonly engineChoice: EngineChoice;
  private readonly backlogLimit: BacklogLimit;
  private readonly registration: ServerRegistration;
  private readonly decisions: DecisionCache;
  private readonly evaluator: CommandEvaluator;
  private readonly messages: Messages;
  private readonly inboundEventDispatcher: InboundEventDispatcher;
  private readonly startConditions: StartConditions;
  private readonly messageLoop: MessageLoop;
  private readonly startTimerRunner: StartTimers;
  private readonly commitListeners: (() => void)[] = [];

  constructor(protected readonly dependencies: EngineDependencies) {
    const { storage, policy, clock, log, artifacts, handlers, connectors, agents, options } = dependencies;
    this.startedAt = clock.now();
    this.instanceId = createRandomId(this.startedAt);
    this.workflows = new WorkflowCache(storage);
    this.decisions = new DecisionCache(storage);
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
    this.jobs = { executors, failures: results };
    const effects = new Map(connectors.map(({ jobType, effect }) => [jobType, effect]));
    this.engineChoice = new EngineChoice(storage, () => this.name);
    this.backlogLimit = new BacklogLimit(storage, () => this.maxPendingAnnouncements);
    this.registration = new ServerRegistration(storage, this.instanceId, () => this.name, log);
    const lookup = {
      resolveEffect: (jobType: string) => effects.get(jobType),
      resolveDestination: destinations.find,
      getEngineName: () => this.name,
      findEngineOfRun: (runId: string) => this.findEngineOfRun(runId),
      choice: this.engineChoice,
      reserveOwner: (jobType: string, runId: string) => this.reserveOwner(jobType, runId),
    };
    this.evaluator = new CommandEvaluator(storage, this.workflows, this.decisions, policy, clock, lookup, options);
    const listener: CommitListener = {
      committed: (...committed) => {
        const [write] = committed;
        this.handleCommitted(...committed);
        if (write.outgoing.length > 0) this.outbox.wake();
        if (write.subscriptionsOpened.length > 0 || write.startKey?.ends === true) this.messageLoop.wake();
        for (const notify of this.commitListeners) notify();
      },
      discarded: (write) => this.handleDiscarded(write),
    };
    this.queue = new CommandQueue(storage, this.runs, this.evaluator, listener, clock, log, options);
    this.startTimerRunner = new StartTimers(storage, this.queue, clock, log, TIMER_ACTOR);
    const initiators = new Initiators(storage);
    // Repeating a delivery is harmless, so the lease can be short. Work of a server that died is then picked up sooner.
    const leaseMs = options.leaseMs / 3;
    this.messages = new Messages(storage, this.queue, initiators, clock, log, leaseMs);
    const { correlator } = this.messages;
    this.inboundEventDispatcher = new InboundEventDispatcher(storage, this.queue, correlator, clock, log, leaseMs);
    this.startConditions = new StartConditions(storage, this.workflows, this.queue, clock);
    this.messageLoop = new MessageLoop(storage, correlator, clock, log, options, leaseMs);
    this.outbox = new OutboxDispatcher(storage, this.queue, this.workflows, this.messages, initiators, log, options);
  }

  abstract status(): Promise<EngineStatus>;
  abstract start(): Promise<void>;
  abstract stop(graceMs: number): Promise<void>;

  /**
   * Returns the process that starts a new job immediately after the commit; `null` if any process may start it. Each
   * job that is assigned to this process is later passed to `handleCommitted` or `handleDiscarded`.
   */
  protected abstract reserveOwner(jobType: string, runId: string): string | null;

  /** Starts what a committed command opened, and stops what it closed. Must not throw. */
  protected abstract handleCommitted(...committed: Parameters<CommitListener['committed']>): void;

  /** Called when an evaluated command is not committed. */
  protected abstract handleDiscarded(write: Parameters<CommitListener['discarded']>[0]): void;

  /** Called after a deployment, which may have added or removed start timers. */
  protected abstract handleDeployed(): void;

  /** Limit of announcements to an external engine, from which no more runs are started by request. */
  protected get maxPendingAnnouncements(): number {
    return DEFAULT_MAX_PENDING_ANNOUNCEMENTS;
  }

  /** Starts what all engines do: delivering messages, and registering the server. */
  protected async startCommonWork(): Promise<void> {
    await this.registration.start();
    this.outbox.start();
    this.messageLoop.start();
  }

  /** Claims no more messages, waits for those in flight, and removes the server from the register. */
  protected async stopCommonWork(): Promise<void> {
    await Promise.all([this.outbox.stop(), this.messageLoop.stop(), this.registration.stop()]);
  }

  async deploy(request: { bpmnXml: string; context: RequestContext }): Promise<DeployedWorkflow> {
    const { savedVersions, warnings } = await deploy(this.dependencies.storage, request, this.dependencies.clock.now());
    const [first, ...alsoDeployed] = savedVersions.map(({ version, created }): DeployedVersion => {
      this.workflows.forgetNewest(version.workflowId);
      const { bpmnXml: _xml, ...workflow } = version;
      return { workflow, created };
    });
    if (first === undefined) throw new Error('a file was compiled and saved without a workflow');
    this.handleDeployed();
    return { ...first, alsoDeployed, warnings };
  }

  planDeployment(bpmnXml: string): Promise<PlannedDeployment> {
    return planDeployment(this.dependencies.storage, bpmnXml, this.dependencies.clock.now());
  }

  async deployDecisions(request: { dmnXml: string; context: RequestContext }): Promise<DeployedDecisions> {
    const deployed = await deployDecisions(this.dependencies.storage, request, this.dependencies.clock.now());
    this.decisions.forget(deployed.decisions);
    return deployed;
  }

  async startRun(request: StartRunRequest): Promise<CommandResponse> {
    await this.requireCapacity(request);
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

  commentOnApproval(request: CommentOnApprovalRequest): Promise<CommandResponse> {
    const { context, respond: _respond, ...comment } = request;
    const { actor } = context;
    const commentId = createRandomId(this.dependencies.clock.now());
    return this.submit(request, 'approval.comment', { kind: 'approval', approvalId: request.approvalId }, () => {
      return { type: 'approval.comment', actor, commentId, ...comment };
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

  async plan(planned: PlannedCommand): Promise<PlannedOutcome> {
    const { runId } = planned.command;
    const stored = isUuid(runId) ? (await this.dependencies.storage.loadRuns([runId])).get(runId) : undefined;
    if (stored === undefined) throw runNotFound(runId);
    const { state } = toCachedRun(stored);
    const workflow = await this.workflows.get(state.workflowId, state.workflowVersion);
    const target =
      planned.kind === 'migrate' ? await this.workflows.get(state.workflowId, planned.command.version) : undefined;
    const command = buildPlannedCommand(planned, target);
    const context = await this.evaluator.buildContext(state, workflow, target);
    const { value: result } = await this.decisions.runWithDecisions(
      target?.graph ?? workflow.graph,
      (decisions) => runTimeSliced(advanceInPieces(workflow.graph, state, command, { ...context, decisions })),
      'stored',
    );
    const cancelledChildRunIds = result.requests.flatMap((request) =>
      request.type === 'send' && request.message.kind === 'child.cancel' ? [request.message.childRunId] : [],
    );
    return { events: result.events, cancelledChildRunIds, refusal: result.refusal };
  }

  readState(state: string): RunSnapshot {
    return toRunSnapshot(JSON.parse(state) as RunState);
  }

  recordArtifact(request: RecordArtifactRequest): Promise<CommandResponse> {
    const { runId, artifact, context } = request;
    const artifactId = createRandomId(this.dependencies.clock.now());
    return this.submit(request, 'artifact.upload', { kind: 'run', runId }, () => {
      return { type: 'artifact.record', actor: context.actor, artifactId, ...artifact };
    });
  }

  async correlateMessage(request: CorrelateMessageRequest): Promise<CorrelatedMessage> {
    return this.messages.publish({
      ...request,
      messageId: request.messageId ?? createRandomId(this.dependencies.clock.now()),
    });
  }

  receiveEvent(request: ReceiveEventRequest): Promise<ReceivedEvent> {
    return this.inboundEventDispatcher.receive(request);
  }

  redeliverEvent({ eventId, context }: { eventId: string; context: RequestContext }): Promise<ReceivedEvent> {
    return this.inboundEventDispatcher.redeliver(eventId, context);
  }

  async broadcastSignal({ context, signalName, payload }: BroadcastSignalRequest): Promise<{ signalId: string }> {
    const now = this.dependencies.clock.now();
    const messageId = createRandomId(now);
    await this.dependencies.storage.send(
      [toOutgoingRow({ kind: 'signal', messageId, signalName, payload }, messageId, now)],
      {
        at: now,
        actor: toRecordedActor(context.actor),
        action: 'signal.broadcast' satisfies CommandAction,
        target: { type: 'signal', id: messageId, name: signalName },
        result: 'ok',
        from: context.from,
        data: { traceId: context.traceId },
      },
    );
    this.outbox.wake();
    return { signalId: messageId };
  }

  evaluateConditions(request: EvaluateConditionsRequest): Promise<EvaluatedConditions> {
    return this.startConditions.evaluate(request);
  }

  onCommit(listener: () => void): void {
    this.commitListeners.push(listener);
  }

  /**
   * Fires a timer of a run. Does nothing if the run no longer waits for it. The command is not announced, because the
   * engine waits for it.
   */
  protected async fireTimer({ timerId, runId }: { timerId: string; runId: string }): Promise<void> {
    try {
      await this.queue.submit({
        target: { kind: 'run', runId },
        context: { actor: TIMER_ACTOR, from: null, traceId: null },
        action: 'timer.fire',
        isReported: true,
        command: () => ({ type: 'timer.fire', actor: TIMER_ACTOR, timerId }),
      });
    } catch (error) {
      if (!isObsolete(error)) throw error;
    }
  }

  /** Starts a run for a timer start event, and schedules its next due time. */
  protected fireStartTimer(timer: StartTimerRecord): Promise<void> {
    return this.startTimerRunner.fire(timer);
  }

  private async findEngineOfRun(runId: string): Promise<string | undefined> {
    return this.runs.get(runId)?.engine ?? this.dependencies.storage.findEngineOfRun(runId);
  }

  /** @throws {ApiError} `service_unavailable` if too many announcements wait for the engine of a new run */
  private async requireCapacity({ workflowId, context: { idempotency } }: StartRunRequest): Promise<void> {
    if ((await this.findBacklogRefusal(workflowId)) === undefined) return;
    // Another server may have moved the workflow to an engine with capacity.
    this.engineChoice.forget(workflowId);
    const refusal = await this.findBacklogRefusal(workflowId);
    if (refusal === undefined) return;
    const [stored] =
      idempotency === undefined ? [] : await this.dependencies.storage.findStoredResponses([idempotency]);
    if (stored === undefined) throw refusal;
  }

  private async findBacklogRefusal(workflowId: string): Promise<ApiError | undefined> {
    const { engine } = await this.engineChoice.choose(workflowId);
    return engine === EMBEDDED_ENGINE ? undefined : this.backlogLimit.findRefusal(engine);
  }

  private submit(
    request: { readonly context: RequestContext; readonly respond: PendingCommand['respond'] },
    action: CommandAction,
    target: PendingCommand['target'],
    command: PendingCommand['command'],
  ): Promise<QueuedResponse> {
    return this.queue.submit({ target, context: request.context, respond: request.respond, action, command });
  }
}
