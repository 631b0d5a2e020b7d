import { chainAudit, chainEvents, GENESIS_HASH } from '@countersign/core/engine';
import type { AuditRecord, RunEvent, StoragePort } from '@countersign/core';
import { expect } from 'chai';

const MANY = 100_000;

/** Reads a run's events and works their chain out anew: no gap, no change, no other end than the run's row says. */
export async function verifiedEvents(storage: StoragePort, runId: string): Promise<readonly RunEvent[]> {
  const events = await storage.listRunEvents(runId, 0, MANY);
  expect(
    events.map(({ seq }) => seq),
    'positions',
  ).to.deep.equal(events.map((_, index) => index + 1));
  const salts = new Map(events.map(({ seq, salt }) => [seq, salt ?? '']));
  const again = chainEvents(runId, GENESIS_HASH, events, (seq) => salts.get(seq) ?? '').map(
    ({ dataText: _hashed, privateText: _committed, ...event }) => event,
  );
  expect(events, 'the chain of events').to.deep.equal(again);
  const row = (await storage.loadRuns([runId])).get(runId);
  expect(row?.lastEventHash, 'the last hash of the run').to.equal(events.at(-1)?.hash);
  return events;
}

/** The same for the audit chain of a run, or of the server (`null`). */
export async function verifiedAudit(storage: StoragePort, runId: string | null): Promise<readonly AuditRecord[]> {
  const all = await storage.listAudit(runId === null ? {} : { runId }, MANY);
  const records = all.filter((record) => record.runId === runId).sort((a, b) => a.seq - b.seq);
  expect(
    records.map(({ seq }) => seq),
    'positions',
  ).to.deep.equal(records.map((_, index) => index + 1));
  const again = chainAudit(
    runId,
    0,
    GENESIS_HASH,
    records,
    (_at, seq) => records[seq - 1]?.auditId ?? '',
    (seq) => records[seq - 1]?.salt ?? '',
  ).map(({ actorText: _by, targetText: _of, dataText: _with, ...record }) => record);
  expect(records, 'the audit chain').to.deep.equal(again);
  if (runId !== null)
    expect((await storage.loadRuns([runId])).get(runId)).to.include({
      auditSeq: records.length,
      lastAuditHash: records.at(-1)?.hash,
    });
  return records;
}

/** What happened, without what is different in each run: ids and times. */
export function outlineOf(events: readonly RunEvent[]): string[] {
  return events.map(({ type, elementId }) => `${type} ${elementId ?? ''}`.trim());
}
