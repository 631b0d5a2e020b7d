import type { Knex } from 'knex';
import type { DmnDecisionRecord, DmnDecisionVersionRecord, Page, PageRequest } from '@countersign/core/ports';
import { toDecisionVersion, type DecisionVersionRow } from '../rows/decision-version-row.js';
import { readPage } from './read-page.js';
import { isStorableInteger, isStorableText } from './storable.js';

const COLUMNS = Object.freeze([
  'decision_id',
  'version',
  'digest',
  'name',
  'decision_type',
  'required_decisions',
  'decision_requirements_id',
  'deployed_at',
  'deployed_by',
]);

/** Returns a version of a DMN decision, by default the newest. */
export async function findDecisionVersion(
  knex: Knex,
  decisionId: string,
  version?: number,
): Promise<DmnDecisionRecord | undefined> {
  if (!isStorableText(decisionId) || !isStorableInteger(version ?? 0)) return undefined;
  const query = knex<DecisionVersionRow>('decision_versions').where('decision_id', decisionId);
  const row = await (version === undefined ? query.where('newest', true) : query.where('version', version)).first();
  if (row === undefined) return undefined;
  const dmnXml = await findDecisionFile(knex, row.digest);
  return dmnXml === undefined ? undefined : { ...toDecisionVersion(row), dmnXml };
}

/** Returns the newest version of each of the DMN decisions. DMN decisions that are not deployed are omitted. */
export async function findNewestDecisions(
  knex: Knex,
  decisionIds: readonly string[],
): Promise<ReadonlyMap<string, DmnDecisionVersionRecord>> {
  const rows = await knex<DecisionVersionRow>('decision_versions')
    .whereIn('decision_id', decisionIds.filter(isStorableText))
    .where('newest', true);
  return new Map(rows.map((row) => [row.decision_id, toDecisionVersion(row)]));
}

/** Returns the DMN decisions of a file. */
export async function findDecisionsOfFile(knex: Knex, digest: string): Promise<DmnDecisionVersionRecord[]> {
  const rows = await knex<DecisionVersionRow>('decision_versions').where('digest', digest);
  return rows.map(toDecisionVersion);
}

/** Returns the XML of the file with a digest. */
export async function findDecisionFile(knex: Knex, digest: string): Promise<string | undefined> {
  if (!isStorableText(digest)) return undefined;
  const row = await knex<{ digest: string; dmn_xml: string }>('decision_files')
    .select('dmn_xml')
    .where({ digest })
    .first();
  return row?.dmn_xml;
}

/** Lists the versions of a DMN decision, newest first. */
export async function listDecisionVersions(knex: Knex, decisionId: string): Promise<DmnDecisionVersionRecord[]> {
  if (!isStorableText(decisionId)) return [];
  const rows = await knex<DecisionVersionRow>('decision_versions')
    .where('decision_id', decisionId)
    .orderBy('version', 'desc');
  return rows.map(toDecisionVersion);
}

/** Lists the newest version of each DMN decision, the most recently deployed first. */
export async function listDecisions(knex: Knex, page: PageRequest): Promise<Page<DmnDecisionVersionRecord>> {
  const { rows, nextCursor } = await readPage(
    knex,
    {
      table: 'decision_versions',
      list: 'decisions',
      filter: {},
      columns: COLUMNS,
      key: [
        { sql: 'deployed_at', type: 'timestamptz' },
        { sql: 'decision_id', type: 'text' },
      ],
      direction: 'desc',
      branches: [{ pinned: [], predicate: 'newest', scanned: [] }],
    },
    page,
  );
  return { items: (rows as unknown as DecisionVersionRow[]).map(toDecisionVersion), nextCursor };
}
