import type { Knex } from 'knex';
import type { RunArtifact } from '@countersign/core/ports';
import { GENESIS_HASH, type RunEvent } from '@countersign/model';
import { toArtifact, type ArtifactRow } from '../rows/artifact-row.js';
import { toRunEvent, type RunEventRow } from '../rows/run-event-row.js';
import { isStorableId, isStorableInteger, isStorableText } from './storable.js';

/** Lists run events, oldest first. Also reads the event before the first one, for its hash. */
export async function listRunEvents(knex: Knex, runId: string, after: number, limit: number): Promise<RunEvent[]> {
  if (!isStorableId(runId) || !isStorableInteger(after)) return [];
  const rows = await knex<RunEventRow>('run_events')
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
    const event = toRunEvent(row, previousHash);
    previousHash = event.hash;
    return event;
  });
}

/**
 * Agent events of a step, oldest first. The predicate matches the index, so that events of other steps are never read.
 * The LIMIT forces a lookup of each previous event, regardless of the run length that the planner assumes.
 */
export const AGENT_EVENTS = `
  SELECT e.*, p.hash AS previous_hash
  FROM run_events e
  LEFT JOIN LATERAL (SELECT hash FROM run_events b WHERE b.run_id = e.run_id AND b.seq = e.seq - 1 LIMIT 1) p ON true
  WHERE e.step_id = ? AND e.run_id = ? AND (e.type LIKE 'agent.%' OR e.type LIKE 'question.%') AND (?::text[] IS NULL OR e.type = ANY (?::text[]))
  ORDER BY e.seq`;

export async function listAgentEvents(
  knex: Knex,
  runId: string,
  stepId: string,
  types?: readonly string[],
): Promise<RunEvent[]> {
  if (!isStorableId(runId) || !isStorableId(stepId)) return [];
  const storableTypes = types === undefined ? null : types.filter(isStorableText);
  const { rows } = await knex.raw<{ rows: (RunEventRow & { previous_hash: string | null })[] }>(AGENT_EVENTS, [
    stepId,
    runId,
    storableTypes,
    storableTypes,
  ]);
  return rows.map((row) => toRunEvent(row, row.previous_hash ?? GENESIS_HASH));
}

/** Lists all versions of the artifacts of a run, oldest first. */
export async function listArtifacts(knex: Knex, runId: string): Promise<RunArtifact[]> {
  if (!isStorableId(runId)) return [];
  const rows = await knex<ArtifactRow>('artifacts').where('run_id', runId).orderBy(['created_at', 'artifact_id']);
  return rows.map(toArtifact);
}

export async function findArtifact(
  knex: Knex,
  runId: string,
  name: string,
  version?: number,
): Promise<RunArtifact | undefined> {
  if (!isStorableId(runId) || !isStorableText(name) || !isStorableInteger(version ?? 0)) return undefined;
  const query = knex<ArtifactRow>('artifacts').where({ run_id: runId, name }).orderBy('version', 'desc').first();
  const row = await (version === undefined ? query : query.where('version', version));
  return row && toArtifact(row);
}
