import { randomUUID } from 'node:crypto';
import { GENESIS_HASH, type MessageChannel, type MessageToPublish, type RunWrite, type StoragePort } from '@countersign/core/plugin';
import type { PostgresDatabase } from '../database/postgres-database.js';
import { PostgresStorage } from '../postgres-storage.js';
import type { GatedPool } from './schedules.spec.support.js';

export const NOW = Date.UTC(2026, 0, 1, 12);

/** The storage on a connection whose statements wait to be let go. */
export function gatedStorage(pool: GatedPool): StoragePort {
  return new PostgresStorage({ pool } as unknown as PostgresDatabase);
}

export interface TestRun {
  readonly runId: string;
  readonly workflowId: string;
}

/** What a command of a run writes that nobody asks for in these tests, and what they do ask for. */
export function writeOf({ runId, workflowId }: TestRun, revision: number, overrides: Partial<RunWrite> = {}): RunWrite {
  const next = { revision: revision + 1, state: '{}', lastEventHash: GENESIS_HASH, auditSeq: 0, lastAuditHash: GENESIS_HASH };
  return {
    expectedRevision: revision,
    requireNewestVersion: false,
    run: {
      runId,
      workflowId,
      workflowVersion: 1,
      workflowDigest: 'sha256:x',
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
      startedAt: NOW,
      startedBy: 'ada',
      updatedAt: NOW,
      completedAt: null,
      businessKey: null,
      parentRunId: null,
    },
    next,
    events: [],
    audit: [],
    jobsOffered: [],
    leaseMs: 1_000,
    jobsRescheduled: [],
    jobsWithdrawn: [],
    subscriptionsOpened: [],
    subscriptionsClosed: [],
    signalsOpened: [],
    signalsClosed: [],
    timersArmed: [],
    timersDisarmed: [],
    approvalsOpened: [],
    approvalsChanged: [],
    artifacts: [],
    outgoing: [],
    decisionsUsed: [],
    jobsUnbegun: [],
    delivery: null,
    calledFrom: null,
    startKey: null,
    fence: null,
    answer: null,
    ...overrides,
  };
}

export const runOf = (workflowId = 'w'): TestRun => ({ runId: randomUUID(), workflowId });

export function subscriptionTo(channel: MessageChannel): RunWrite['subscriptionsOpened'][number] {
  return { ...channel, subscriptionId: randomUUID(), stepId: randomUUID(), elementId: 'wait', since: NOW };
}

export function messageTo(channel: MessageChannel, livesMs: number): MessageToPublish {
  const origin = { runId: null, actor: null, from: null, traceId: null };
  return { ...channel, messageId: randomUUID(), payload: {}, publishedAt: NOW, expiresAt: NOW + livesMs, origin, fromOutbox: false };
}

/**
 * Looks at a channel as an engine does, at runs that are at revision 1 while they wait, and end with the message. Runs that
 * are started keep their key.
 */
export async function look(storage: StoragePort, channel: MessageChannel, now = NOW): Promise<void> {
  for (;;) {
    const seen = await storage.matchMessages(channel, now);
    if (seen === undefined) return;
    if (seen.matches.length === 0 && !(await storage.settleChannel(channel, seen))) return;
    for (const { messageId, workflowId, to } of seen.matches) {
      const delivery = { messageId, from: 'channel' } as const;
      const write =
        to.kind === 'run'
          ? writeOf({ runId: to.runId, workflowId }, 1, { delivery, subscriptionsClosed: [to.subscriptionId] })
          : writeOf(runOf(workflowId), 0, { delivery, startKey: { correlationKey: channel.correlationKey, begins: true, ends: false } });
      await storage.commit([write]);
    }
  }
}
