import type { StoragePort } from '@countersign/core';
import {
  type AuditRecord,
  chainEvents,
  computeAuditCommitment,
  GENESIS_HASH,
  hashAuditRecord,
  PersonSalts,
  type RunEvent,
  type RunState,
} from '@countersign/model';
import { expect } from 'chai';
import { sha256 } from '../http/checks.spec.support.js';

const MAX_EVENTS = 100_000;

/**
 * Reads the events of a run and verifies their chain: there is no gap, no event was changed, and the last hash is the
 * one stored with the run.
 */
export async function loadVerifiedEvents(storage: StoragePort, runId: string): Promise<readonly RunEvent[]> {
  const events = await storage.listRunEvents(runId, 0, MAX_EVENTS);
  expect(
    events.map(({ seq }) => seq),
    'positions',
  ).to.deep.equal(events.map((_, index) => index + 1));
  const salts = new Map(events.map(({ seq, salt }) => [seq, salt ?? '']));
  const row = (await storage.loadRuns([runId])).get(runId);
  const { personSalts } = JSON.parse(row?.state ?? '{}') as Partial<RunState>;
  const failOnMissingSalt = (): never => expect.fail('the run names a person without a salt');
  const rechainedEvents = chainEvents(
    runId,
    GENESIS_HASH,
    events,
    (seq) => salts.get(seq) ?? '',
    new PersonSalts(personSalts, failOnMissingSalt),
  ).map(({ dataText: _hashed, privateText: _committed, ...event }) => event);
  expect(events, 'the chain of events').to.deep.equal(rechainedEvents);
  expect(row?.lastEventHash, 'the last hash of the run').to.equal(events.at(-1)?.hash);
  return events;
}

/**
 * Reads the audit records of a run or of the server (`null`) and verifies their hashes, their commitments and the
 * digests of the people in them.
 */
export async function loadVerifiedAudit(storage: StoragePort, runId: string | null): Promise<readonly AuditRecord[]> {
  const all = await storage.listAudit(runId === null ? {} : { runId }, MAX_EVENTS);
  const records = all.filter((record) => record.runId === runId).sort((a, b) => a.seq - b.seq);
  expect(
    records.map(({ seq }) => seq),
    'positions',
  ).to.deep.equal(records.map((_, index) => index + 1));
  let expectedPreviousHash = GENESIS_HASH;
  const erasedSeqs = new Set(
    records.flatMap(({ action, target }) =>
      action === 'personal_data.erase' ? ((target['auditEvents'] ?? []) as number[]) : [],
    ),
  );
  for (const record of records) {
    const { seq, actor, action, target, data, salt, commitment, previousHash, hash } = record;
    expect({ previousHash, hash, commitment }, `audit event ${seq}`).to.deep.equal({
      previousHash: expectedPreviousHash,
      hash: hashAuditRecord(record),
      commitment: erasedSeqs.has(seq) ? commitment : computeAuditCommitment(record, salt),
    });
    const salts = data['personSalts'] as Record<string, string> | undefined;
    if (actor?.type === 'user')
      expect((target['personDigests'] as Record<string, string>)['actor'], `digest of the actor of ${action}`).to.equal(
        sha256({ id: actor.id, salt: salts?.['actor'], type: actor.type }),
      );
    expectedPreviousHash = hash;
  }
  if (runId !== null)
    expect((await storage.loadRuns([runId])).get(runId)).to.include({
      auditSeq: records.length,
      lastAuditHash: expectedPreviousHash,
    });
  return records;
}

/** Verifies the chain of an erased run: all hashes are valid, and exactly the data named by the erasure is missing. */
export async function verifyErasedRun(storage: StoragePort, runId: string): Promise<void> {
  const events = await storage.listRunEvents(runId, 0, MAX_EVENTS);
  const erasures = events.filter(({ type }) => type === 'personal_data.erased');
  expect(erasures, 'erasures').to.have.length(1);
  let previousHash = GENESIS_HASH;
  for (const { hash, private: privateData, salt, at, ...fields } of events) {
    expect(hash, `run event ${fields.seq}`).to.equal(
      sha256({ runId, ...fields, at: new Date(at).toISOString(), previousHash }),
    );
    if (privateData !== null) expect(fields.commitment).to.equal(sha256({ private: privateData, salt }));
    previousHash = hash;
  }
  const isErased = ({ private: privateData, commitment }: RunEvent): boolean =>
    privateData === null && commitment !== null;
  expect(
    events.filter(isErased).map(({ seq }) => seq),
    'events whose private data was erased',
  ).to.deep.equal(erasures[0]?.data['events']);
  expect(
    (await storage.listAudit({ runId }, MAX_EVENTS))
      .filter((record) => record.runId === runId && record.salt === '')
      .map(({ seq }) => seq)
      .sort((a, b) => a - b),
  ).to.deep.equal(erasures[0]?.data['auditEvents']);
}

/** Returns the outline of a history, without ids and times, which differ between runs. */
export function buildOutline(events: readonly RunEvent[]): string[] {
  return events.map(({ type, elementId }) => `${type} ${elementId ?? ''}`.trim());
}
