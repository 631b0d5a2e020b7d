import { randomUUID } from 'node:crypto';
import type { InboundEvent, MessageChannel, MessageToPublish, RunWrite, StoragePort } from '@countersign/core/ports';
import { GENESIS_HASH } from '@countersign/model';
import type { PostgresDatabase } from '../database/postgres-database.js';
import { PostgresStorage } from '../postgres-storage.js';
import type { GatedPool } from './schedules.spec.support.js';

export const NOW = Date.UTC(2026, 0, 1, 12);

/** Creates the storage on a connection whose statements wait until they are released. */
export function createGatedStorage(pool: GatedPool): StoragePort {
  return new PostgresStorage({ pool, commits: pool, onLoss: () => undefined } as unknown as PostgresDatabase);
}

export interface TestRun {
  readonly runId: string;
  readonly workflowId: string;
}

/** Returns the write of a command with default values for all fields that a test does not override. */
export function buildRunWrite(
  { runId, workflowId }: TestRun,
  revision: number,
  overrides: Partial<RunWrite> = {},
): RunWrite {
  const next = {
    revision: revision + 1,
    state: '{}',
    lastEventHash: GENESIS_HASH,
    auditSeq: 0,
    lastAuditHash: GENESIS_HASH,
  };
  return {
    expectedRevision: revision,
    requireNewestVersion: false,
    engineOfWorkflow: null,
    run: {
      runId,
      engine: 'embedded',
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
    announceAfterMs: null,
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
    approvalsExcluded: [],
    questionsOpened: [],
    questionsChanged: [],
    artifacts: [],
    outgoing: [],
    decisionsUsed: [],
    contributorsKnown: null,
    jobsIfUnclaimed: [],
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

export const createTestRun = (workflowId = 'w'): TestRun => ({ runId: randomUUID(), workflowId });

export function buildSubscription(channel: MessageChannel): RunWrite['subscriptionsOpened'][number] {
  return { ...channel, subscriptionId: randomUUID(), stepId: randomUUID(), elementId: 'wait', since: NOW };
}

export function buildMessage(channel: MessageChannel, ttlMs: number): MessageToPublish {
  const origin = { runId: null, actor: null, from: null, traceId: null };
  return {
    ...channel,
    messageId: randomUUID(),
    payload: {},
    publishedAt: NOW,
    expiresAt: NOW + ttlMs,
    origin,
    fromOutbox: false,
  };
}

/**
 * Correlates a channel as an engine does. Waiting runs are at revision 1, and the message closes their subscription.
 * Runs that the message starts keep their start key.
 */
export async function correlateChannel(storage: StoragePort, channel: MessageChannel, now = NOW): Promise<void> {
  for (;;) {
    const matchResult = await storage.matchMessages(channel, now);
    if (matchResult === undefined) return;
    if (matchResult.matches.length === 0 && !(await storage.markChannelIdle(channel, matchResult))) return;
    for (const { messageId, workflowId, to, origin } of matchResult.matches) {
      const cause = { messageId, from: 'channel', ofEvent: origin.ofEvent === true } as const;
      const write =
        to.kind === 'run'
          ? buildRunWrite({ runId: to.runId, workflowId }, 1, {
              cause,
              subscriptionsClosed: [to.subscriptionId],
            })
          : buildRunWrite(createTestRun(workflowId), 0, {
              cause,
              startKey: { correlationKey: channel.correlationKey, begins: true, ends: false },
            });
      await storage.commit([write]);
    }
  }
}

export function buildEvent(channel: MessageChannel, ttlMs: number): InboundEvent {
  const eventId = randomUUID();
  const expiresAt = ttlMs === 0 ? null : NOW + ttlMs;
  return {
    ...channel,
    eventId,
    via: 'test',
    source: 'ci',
    idempotencyKey: eventId,
    bodyDigest: eventId,
    oncePerBody: false,
    payload: {},
    receivedAt: NOW,
    expiresAt,
    actor: null,
    from: null,
    traceId: null,
  };
}

/**
 * Delivers an event as an engine does. Waiting runs are at revision 1, and the event closes their subscription.
 *
 * @param shouldCorrelate whether to also correlate a buffered event; if false, the engine stops before the correlation
 * @returns the id under which the event is recorded
 */
export async function deliverEvent(storage: StoragePort, event: InboundEvent, shouldCorrelate = true): Promise<string> {
  for (;;) {
    const recordResult = await storage.recordInboundEvent(event, {
      mode: 'record',
      refusedBy: [],
      now: NOW,
      leaseMs: 0,
    });
    if (recordResult.kind === 'repeated') return recordResult.event.eventId;
    if (recordResult.kind === 'claimed') continue;
    if (recordResult.kind === 'matches') {
      const [first, ...others] = recordResult.matches;
      if (first?.to.kind !== 'run') throw new Error('In these tests, an inbound event does not start a run.');
      if (first.hasEarlierMessage) {
        await correlateChannel(storage, event);
        continue;
      }
      const keep = others.length > 0 || event.expiresAt !== null;
      const cause = { from: 'event', event, isRedelivery: false, keep, refusedBy: [], leaseMs: 0 } as const;
      const [result] = await storage.commit([
        buildRunWrite({ runId: first.to.runId, workflowId: first.workflowId }, 1, {
          cause,
          subscriptionsClosed: [first.to.subscriptionId],
        }),
      ]);
      if (result !== 'committed') continue;
    }
    if (shouldCorrelate && event.expiresAt !== null) await correlateChannel(storage, event);
    return event.eventId;
  }
}
