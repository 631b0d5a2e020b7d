import type {
  MessageChannel,
  MessageToPublish,
  PersonToken,
  RunRecord,
  RunWrite,
  StartEvents,
  StoragePort,
  WorkflowDeployment,
  WorkflowVersionRecord,
} from '@countersign/core/ports';
import {
  type ApprovalRecord,
  type AuditEntry,
  type AuditRecord,
  chainAudit,
  GENESIS_HASH,
  type RunEvent,
  type SubscriptionRecord,
} from '@countersign/model';
import { createHash, randomBytes } from 'node:crypto';
import { currentTime } from '@countersign/model/testing';

let counter = 0;
let lastTime = 0;

/** Returns the value, or throws an error if it is missing. */
export function requireValue<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('A required value is missing.');
  return value;
}

/** Returns a UUIDv7. Without a time, the id is later than all earlier ids, even if the system clock is set back. */
export function nextId(at = (lastTime = Math.max(lastTime, currentTime()))): string {
  counter += 1;
  const time = at.toString(16).padStart(12, '0');
  const order = counter.toString(16).padStart(7, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${order.slice(0, 3)}-8${order.slice(3, 6)}-${order.slice(6)}${randomBytes(6).toString('hex').slice(1)}`;
}

/** Creates the content of a token of an approver, which is issued and used now. */
export function createPersonToken(overrides: Partial<PersonToken> & Pick<PersonToken, 'id'>): PersonToken {
  const now = currentTime();
  return { names: [], displayName: null, groups: [], mayDecide: true, issuedAt: now, at: now, ...overrides };
}

export function createAuditEntry(overrides: Partial<AuditEntry> = {}): AuditEntry {
  return {
    at: currentTime(),
    actor: { type: 'user', id: 'ada', name: 'Ada' },
    action: 'run.start',
    target: { type: 'run', id: 'x' },
    result: 'ok',
    from: '127.0.0.1',
    data: {},
    ...overrides,
  };
}

export const createWorkflowVersion = (
  overrides: Partial<WorkflowVersionRecord> = {},
): Omit<WorkflowVersionRecord, 'version'> => ({
  workflowId: 'release',
  digest: 'sha256:first',
  name: 'Release',
  description: null,
  inputSchema: { type: 'object' },
  elements: [{ id: 'start' }],
  bpmnXml: '<definitions/>',
  deployedAt: currentTime(),
  deployedBy: 'ada',
  ...overrides,
});

/** Deploys a workflow version to which runs can refer. */
export async function deploy(
  storage: StoragePort,
  overrides: Partial<WorkflowVersionRecord> = {},
  starts: Partial<StartEvents> = {},
): Promise<WorkflowVersionRecord> {
  return (await saveVersion(storage, createWorkflowVersion(overrides), undefined, starts)).version;
}

type SavedVersion = Awaited<ReturnType<StoragePort['saveWorkflowVersions']>>[number];

/** Saves one workflow version with its audit entry and start events. */
export async function saveVersion(
  storage: StoragePort,
  version: WorkflowDeployment['version'],
  audit = createAuditEntry({ action: 'workflow.deploy' }),
  starts: Partial<StartEvents> = {},
): Promise<SavedVersion> {
  const [saved] = await storage.saveWorkflowVersions([
    { version, audit, starts: { subscriptions: [], conditions: [], timers: [], ...starts } },
  ]);
  return requireValue(saved);
}

export function createRunRecord(overrides: Partial<RunRecord> = {}): RunRecord {
  const now = currentTime();
  return {
    runId: nextId(),
    engine: 'embedded',
    workflowId: 'release',
    workflowVersion: 1,
    workflowDigest: 'sha256:first',
    status: 'active',
    outcome: null,
    cancelling: false,
    currentStep: null,
    pendingApprovals: 0,
    pendingQuestions: 0,
    incidents: 0,
    waitingFor: [],
    riskLevel: 'low',
    error: null,
    startedAt: now,
    startedBy: 'ada',
    updatedAt: now,
    completedAt: null,
    businessKey: null,
    parentRunId: null,
    ...overrides,
  };
}

/** Events and audit records in the form in which they are read. `createRunWrite` adds their serialized fields. */
interface HistoryFields {
  readonly events?: readonly RunEvent[];
  readonly audit?: readonly AuditRecord[];
}

/** Returns the write of a run's first command or, with a `revision`, of a later command. */
export function createRunWrite(
  fields: Partial<Omit<RunWrite, keyof HistoryFields>> & HistoryFields & { readonly revision?: number } = {},
): RunWrite {
  const { run = createRunRecord(), revision = 0, events = [], audit = [], ...overrides } = fields;
  return {
    expectedRevision: revision,
    requireNewestVersion: false,
    engineOfWorkflow: null,
    decisionsUsed: [],
    contributorsKnown: null,
    run,
    next: {
      revision: revision + 1,
      state: `{"revision":${revision + 1}}`,
      lastEventHash: 'e'.repeat(64),
      auditSeq: 0,
      lastAuditHash: GENESIS_HASH,
    },
    events: events.map((event) => ({
      ...event,
      dataText: JSON.stringify(event.data),
      privateText: event.private === null ? null : JSON.stringify(event.private),
    })),
    audit: audit.map((record) => ({
      ...record,
      actorText: record.actor === null ? null : JSON.stringify(record.actor),
      targetText: JSON.stringify(record.target),
      dataText: JSON.stringify(record.data),
    })),
    jobsOffered: [],
    announceAfterMs: null,
    leaseMs: 30_000,
    jobsRescheduled: [],
    jobsWithdrawn: [],
    jobsIfUnclaimed: [],
    subscriptionsOpened: [],
    subscriptionsClosed: [],
    signalsOpened: [],
    signalsClosed: [],
    timersArmed: [],
    timersDisarmed: [],
    approvalsOpened: [],
    approvalsChanged: [],
    approvalsExcluded: [],
    questionsOpened: [],
    questionsChanged: [],
    artifacts: [],
    outgoing: [],
    cause: null,
    callLimit: null,
    startKey: null,
    fence: null,
    signingKey: null,
    requiredAbsences: [],
    erasure: null,
    storedResponse: null,
    ...overrides,
  };
}

export function createRunEvent(seq: number, overrides: Partial<RunEvent> = {}): RunEvent {
  return {
    seq,
    at: currentTime(),
    type: 'step.completed',
    stepId: null,
    elementId: null,
    data: { seq },
    private: null,
    salt: null,
    commitment: null,
    previousHash: seq === 1 ? GENESIS_HASH : `hash-${seq - 1}`,
    hash: `hash-${seq}`,
    ...overrides,
  };
}

export const createJobOffer = (
  overrides: Partial<RunWrite['jobsOffered'][number]> = {},
): RunWrite['jobsOffered'][number] => ({
  jobId: nextId(),
  stepId: nextId(),
  elementId: 'build',
  jobType: 'connector',
  attempt: 1,
  toolConstraints: null,
  owner: null,
  ...overrides,
});

export function createApprovalRecord(run: RunRecord, overrides: Partial<ApprovalRecord> = {}): ApprovalRecord {
  return {
    approvalId: nextId(),
    runId: run.runId,
    workflowId: run.workflowId,
    workflowVersion: run.workflowVersion,
    stepId: nextId(),
    elementId: 'approve',
    businessKey: run.businessKey,
    title: 'Approve the release',
    description: null,
    status: 'pending',
    round: 1,
    previousApprovalId: null,
    requestedAt: currentTime(),
    requestedBy: 'ada',
    dueAt: null,
    resolvedAt: null,
    resolvedBy: null,
    candidateUsers: [],
    candidateGroups: ['approvers'],
    delegations: [],
    quorum: 1,
    priority: 50,
    separationOfDuties: 'on',
    excluded: { ada: 'started_run' },
    riskLevel: 'low',
    riskFactors: [{ code: 'size', description: 'Many lines', weight: 2 }],
    rationale: 'Small change.',
    subject: {
      kind: 'user_task',
      runId: run.runId,
      elementId: 'approve',
      inputs: { version: '1.0' },
      evidence: [],
      definition: { workflowId: run.workflowId, workflowVersion: run.workflowVersion, digest: run.workflowDigest },
    },
    digest: `sha256:${createHash('sha256').update(run.runId).digest('hex')}`,
    requireSignature: false,
    votes: [],
    ...overrides,
  };
}

/** Returns a run's first audit records. */
export const createAuditRecords = (run: RunRecord, entries: readonly AuditEntry[]): AuditRecord[] =>
  chainAudit(
    run.runId,
    0,
    GENESIS_HASH,
    entries,
    (at) => nextId(at),
    () => randomBytes(16).toString('hex'),
  ).map(({ actorText: _by, targetText: _of, dataText: _with, ...record }) => record);

/** Returns a message that expires after a minute. */
export function createMessage(channel: MessageChannel, overrides: Partial<MessageToPublish> = {}): MessageToPublish {
  const publishedAt = overrides.publishedAt ?? currentTime();
  const origin = {
    runId: null,
    actor: { type: 'service', id: 'shop', name: null },
    from: null,
    traceId: null,
  } as const;
  return {
    ...channel,
    messageId: nextId(),
    payload: { n: 1 },
    publishedAt,
    expiresAt: publishedAt + 60_000,
    origin,
    fromOutbox: false,
    ...overrides,
  };
}

export function createSubscription(channel: MessageChannel, since = currentTime()): SubscriptionRecord {
  return { ...channel, subscriptionId: nextId(), stepId: nextId(), elementId: 'wait', since };
}
