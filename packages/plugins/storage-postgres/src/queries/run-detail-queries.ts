import type { Knex } from 'knex';
import { GENESIS_HASH, type RunArtifact, type RunEvent } from '@countersign/core/plugin';
import { ArtifactModel } from '../models/artifact-model.js';
import { RunEventModel } from '../models/run-event-model.js';
import { isStorableId, isStorableInteger, isStorableText } from './storable.js';

/** Oldest first. Reads the event before the first one along, for the hash that this one refers to. */
export async function listRunEvents(knex: Knex, runId: string, after: number, limit: number): Promise<RunEvent[]> {
  if (!isStorableId(runId) || !isStorableInteger(after)) return [];
  const rows = await RunEventModel.query(knex)
    .where('run_id', runId)
    .where('seq', '>=', after)
    .orderBy('seq')
    .limit(limit + 1);
  const [first] = rows;
  let previousHash = GENESIS_HASH;
  if (first !== undefined && first.seq === after) {
    previousHash = first.hash;
    rows.shift();
  }
  return rows.slice(0, limit).map((row) => {
    const event = row.toRecord(previousHash);
    previousHash = event.hash;
    return event;
  });
}

/** All versions, oldest first. */
export async function listArtifacts(knex: Knex, runId: string): Promise<RunArtifact[]> {
  if (!isStorableId(runId)) return [];
  const rows = await ArtifactModel.query(knex).where('run_id', runId).orderBy(['created_at', 'artifact_id']);
  return rows.map((row) => row.toRecord());
}

export async function findArtifact(knex: Knex, runId: string, name: string, version?: number): Promise<RunArtifact | undefined> {
  if (!isStorableId(runId) || !isStorableText(name) || !isStorableInteger(version ?? 0)) return undefined;
  const query = ArtifactModel.query(knex).where({ run_id: runId, name }).orderBy('version', 'desc').first();
  const row = await (version === undefined ? query : query.where('version', version));
  return row?.toRecord();
}
