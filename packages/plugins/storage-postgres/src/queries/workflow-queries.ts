import type { Knex } from 'knex';
import type { Page, PageRequest, WorkflowVersionRecord } from '@countersign/core/plugin';
import { WorkflowVersionModel } from '../models/workflow-version-model.js';
import { readPage } from './read-page.js';
import { isStorableInteger, isStorableText } from './storable.js';

type Summary = Omit<WorkflowVersionRecord, 'bpmnXml'>;

/** A version, the newest one by default. */
export async function findWorkflowVersion(
  knex: Knex,
  workflowId: string,
  version?: number,
): Promise<WorkflowVersionRecord | undefined> {
  if (!isStorableText(workflowId) || !isStorableInteger(version ?? 0)) return undefined;
  const query = WorkflowVersionModel.query(knex).where('workflow_id', workflowId);
  const row = await (
    version === undefined ? query.orderBy('version', 'desc') : query.where('version', version)
  ).first();
  return row?.toRecord();
}

export async function findWorkflowByDigest(
  knex: Knex,
  workflowId: string,
  digest: string,
): Promise<WorkflowVersionRecord | undefined> {
  if (!isStorableText(workflowId + digest)) return undefined;
  const row = await WorkflowVersionModel.query(knex).where({ workflow_id: workflowId, digest }).first();
  return row?.toRecord();
}

/** Newest first. */
export async function listWorkflowVersions(knex: Knex, workflowId: string): Promise<Summary[]> {
  if (!isStorableText(workflowId)) return [];
  const rows = await WorkflowVersionModel.query(knex)
    .select(...WorkflowVersionModel.listColumns)
    .where('workflow_id', workflowId)
    .orderBy('version', 'desc');
  return rows.map((row) => row.toSummary());
}

/** The newest version of each workflow, the one deployed last first. */
export async function listWorkflows(knex: Knex, page: PageRequest): Promise<Page<Summary>> {
  const { rows, nextCursor } = await readPage(
    knex,
    {
      table: 'workflow_versions',
      list: 'workflows',
      filter: {},
      columns: WorkflowVersionModel.listColumns,
      key: [
        { sql: 'deployed_at', type: 'timestamptz' },
        { sql: 'workflow_id', type: 'text' },
      ],
      direction: 'desc',
      branches: [{ pinned: [], predicate: 'newest', scanned: [] }],
    },
    page,
  );
  return { items: rows.map((row) => WorkflowVersionModel.fromDatabaseJson(row).toSummary()), nextCursor };
}
