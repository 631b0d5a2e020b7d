import { getLastTime, projectRun } from '@countersign/interpreter';
import type { JsonObject } from '@countersign/core/plugin';
import {
  type CommandOutcome,
  type DmnDecisionUse,
  EMBEDDED_ENGINE,
  type RunRecord,
  type RunWrite,
  type StartKey,
} from '@countersign/core/ports';
import {
  type AdvanceResult,
  type AuditEntry,
  chainAudit,
  chainEventsInPieces,
  createSequentialId,
  GENESIS_HASH,
  jsonInPieces,
  PersonSalts,
  toRecordedActor,
  type RunState,
  type WorkflowGraph,
} from '@countersign/model';
import type { CachedRun } from '../caches/run-cache.js';
import type { ChosenEngine } from '../engine-choice.js';
import type { PendingCommand } from './pending-command.js';
import { groupRequestsByTable } from './group-requests-by-table.js';

export interface RunWriteInput {
  readonly pending: PendingCommand;
  readonly graph: WorkflowGraph;
  /** Graph of the version that the command migrates the run to. */
  readonly targetGraph: WorkflowGraph | undefined;
  readonly before: CachedRun | null;
  /** Result of `advance()`, and the DMN decisions that it used. */
  readonly result: AdvanceResult;
  readonly decisionsUsed: readonly DmnDecisionUse[];
  readonly contributorsKnown: RunWrite['contributorsKnown'];
  readonly salt: () => string;
  /** The engine of the run. */
  readonly chosenEngine: ChosenEngine;
  /** The engine of this server. */
  readonly ownEngine: string;
  /**
   * Reserves capacity for a new job and returns its owner: this process if it has capacity for the job type, otherwise
   * `null`.
   */
  readonly reserveOwner: (jobType: string, runId: string) => string | null;
  readonly leaseMs: number;
  readonly maxChildRuns: number;
}

/** Evaluated command: the rows to write, and the state after the commit. */
export interface PreparedWrite {
  readonly result: AdvanceResult;
  /** `null` if the command changes nothing (a refusal). */
  readonly write: RunWrite | null;
  readonly outcome: CommandOutcome;
  readonly after: CachedRun | null;
}

/** Builds everything to write for the result of `advance()`. Does no I/O, and yields wherever it may be interrupted. */
export function* buildRunWrite(input: RunWriteInput): Generator<void, PreparedWrite> {
  const { pending, graph, targetGraph, before, result } = input;
  const { engine, engineOfWorkflow } = input.chosenEngine;
  const run = toRunRecord(
    targetGraph !== undefined && result.refusal === null ? targetGraph : graph,
    result.state,
    engine,
  );
  const artifact = result.requests.find((request) => request.type === 'artifact.put')?.artifact ?? null;
  const outcome: CommandOutcome = {
    run,
    events: result.events,
    approval: result.approval,
    question: result.question ?? null,
    artifact,
  };
  if (result.events.length === 0) return { result, write: null, outcome, after: null };

  const personSalts = new PersonSalts(result.state.personSalts, input.salt);
  const events = yield* chainEventsInPieces(
    result.state.runId,
    before?.lastEventHash ?? GENESIS_HASH,
    result.events,
    input.salt,
    personSalts,
  );
  const { runId } = result.state;
  const audit = chainAudit(
    runId,
    before?.auditSeq ?? 0,
    before?.lastAuditHash ?? GENESIS_HASH,
    [buildAuditEntry(pending, result)],
    // Audit ids use the same scheme as other ids, with numbers above those of any step.
    (at, seq) => createSequentialId(runId, AUDIT_ID_OFFSET + seq, at),
    input.salt,
    personSalts,
  );
  const state = personSalts.hasNewSalts ? { ...result.state, personSalts: personSalts.toRecord() } : result.state;
  const isExternal = engine !== EMBEDDED_ENGINE;
  const after: CachedRun = {
    engine,
    revision: (before?.revision ?? 0) + 1,
    state,
    lastEventHash: events.at(-1)?.hash ?? GENESIS_HASH,
    auditSeq: audit.at(-1)?.seq ?? 0,
    lastAuditHash: audit.at(-1)?.hash ?? GENESIS_HASH,
  };
  const stateJson = yield* jsonInPieces(state);
  const storedResponse = buildStoredResponse(pending, outcome, result.refusal);
  // This reserves capacity for jobs, so no later step may throw.
  const requests = groupRequestsByTable(
    result.requests,
    isExternal ? () => null : input.reserveOwner,
    state,
    pending.hasUnknownOutcome ? (pending.fence?.jobId ?? null) : null,
  );
  const write: RunWrite = {
    expectedRevision: before?.revision ?? 0,
    requireNewestVersion: pending.target.kind === 'new' && pending.target.onlyNewest,
    engineOfWorkflow,
    decisionsUsed: input.decisionsUsed,
    contributorsKnown: input.contributorsKnown,
    run,
    next: { ...after, state: stateJson },
    events,
    audit,
    ...requests,
    leaseMs: input.leaseMs,
    announceAfterMs: isExternal ? computeAnnounceAfterMs(input, requests) : null,
    cause: pending.cause,
    callLimit:
      before === null && state.parent !== null
        ? { rootRunId: state.parent.rootRunId, maxRuns: input.maxChildRuns }
        : null,
    startKey: buildStartKey(before?.state ?? null, state),
    fence: pending.fence,
    // A refused command records no vote, even if it has other effects.
    signingKey: result.refusal === null ? pending.signingKey : null,
    storedResponse,
  };
  return { result, write, outcome, after };
}

const AUDIT_ID_OFFSET = 2 ** 40;
/** Time in which a server that has the external engine announces its own commands, in ms. */
const ANNOUNCE_AFTER_MS = 2_000;

/** Returns after how long any server may announce a command of an external engine; `null`: it is not announced. */
function computeAnnounceAfterMs(
  { pending: { isReported, fence }, chosenEngine, ownEngine }: RunWriteInput,
  { jobsWithdrawn, jobsRescheduled }: Pick<RunWrite, 'jobsWithdrawn' | 'jobsRescheduled'>,
): number | null {
  // The engine waits for the job, and learns of what its result opened when the job ends.
  const endsJob =
    fence !== null &&
    (jobsWithdrawn.includes(fence.jobId) || jobsRescheduled.some(({ jobId }) => jobId === fence.jobId));
  if (isReported || endsJob) return null;
  return chosenEngine.engine === ownEngine ? ANNOUNCE_AFTER_MS : 0;
}

function buildStartKey(before: RunState | null, { startKey, completedAt }: RunState): StartKey | null {
  if (startKey === undefined) return null;
  const begins = before === null;
  const ends = completedAt !== null && (begins || before.completedAt === null);
  return begins || ends ? { correlationKey: startKey, begins, ends } : null;
}

function buildStoredResponse(
  pending: PendingCommand,
  outcome: CommandOutcome,
  refusal: AdvanceResult['refusal'],
): RunWrite['storedResponse'] {
  const { idempotency } = pending.context;
  if (idempotency === undefined || pending.respond === null || refusal !== null) return null;
  return { response: pending.respond(outcome), ...idempotency };
}

/** Returns the entry that the command adds to the audit chain of the run. */
function buildAuditEntry(pending: PendingCommand, result: AdvanceResult): AuditEntry {
  const { refusal, state } = result;
  return {
    at: getLastTime(state),
    actor: toRecordedActor(pending.context.actor),
    action: pending.action,
    // The sequence number of the command's last run event links the two chains of a run.
    target: { eventSeq: state.seq, ...toAuditTarget(pending, state.runId) },
    result: refusal === null ? 'ok' : 'refused',
    from: pending.context.from,
    data: {
      traceId: pending.context.traceId,
      ...pending.details,
      ...inboundEventDetails(pending),
      ...(refusal === null ? {} : { code: refusal.code }),
    },
  };
}

/** Returns the id of the inbound event that caused the command, if any. */
function inboundEventDetails({ cause }: PendingCommand): JsonObject {
  if (cause?.from === 'event') return { eventId: cause.event.eventId };
  return cause?.from === 'channel' && cause.ofEvent === true ? { eventId: cause.messageId } : {};
}

/** Returns the target of a command as recorded in the audit trail. */
export function toAuditTarget({ target, fence }: PendingCommand, runId: string): JsonObject {
  if (target.kind === 'approval') return { type: 'approval', id: target.approvalId, runId };
  if (target.kind === 'question') return { type: 'question', id: target.questionId, runId };
  return fence === null ? { type: 'run', id: runId, runId } : { type: 'job', id: fence.jobId, runId };
}

function toRunRecord(graph: WorkflowGraph, state: RunState, engine: string): RunRecord {
  const projection = projectRun(graph, state);
  return {
    runId: state.runId,
    engine,
    workflowId: state.workflowId,
    workflowVersion: state.workflowVersion,
    workflowDigest: state.workflowDigest,
    status: projection.status,
    outcome: state.outcome,
    cancelling: projection.cancelling,
    currentStep: projection.currentStep,
    pendingApprovals: projection.pendingApprovals,
    pendingQuestions: projection.pendingQuestions,
    incidents: projection.incidents,
    waitingFor: projection.waitingFor,
    riskLevel: projection.riskLevel,
    error: projection.error,
    startedAt: state.startedAt,
    startedBy: state.startedBy,
    updatedAt: state.updatedAt,
    completedAt: state.completedAt,
    businessKey: state.businessKey,
    parentRunId: state.parent?.runId ?? null,
  };
}
