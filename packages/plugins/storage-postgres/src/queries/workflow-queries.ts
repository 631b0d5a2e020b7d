import type { Knex } from 'knex';
import type { Page, PageRequest, WorkflowVersionRecord } from '@countersign/core/ports';
import {
  WORKFLOW_LIST_COLUMNS,
  toWorkflowSummary,
  toWorkflowVersion,
  type WorkflowVersionRow,
} from '../rows/workflow-version-row.js';
import { readPage } from './read-page.js';
import { isStorableInteger, isStorableText } from './storable.js';

type Summary = Omit<WorkflowVersionRecord, 'bpmnXml'>;

/** Returns a version of a workflow, by default the newest. */
export async function findWorkflowVersion(
  knex: Knex,
  workflowId: string,
  version?: number,
): Promise<WorkflowVersionRecord | undefined> {
  if (!isStorableText(workflowId) || !isStorableInteger(version ?? 0)) return undefined;
  const query = knex<WorkflowVersionRow>('workflow_versions').where('workflow_id', workflowId);
  const row = await (
    version === undefined ? query.orderBy('version', 'desc') : query.where('version', version)
  ).first();
  return row && toWorkflowVersion(row);
}

export async function findWorkflowVersionByDigest(
  knex: Knex,
  workflowId: string,
  digest: string,
): Promise<WorkflowVersionRecord | undefined> {
  if (!isStorableText(workflowId + digest)) return undefined;
  const row = await knex<WorkflowVersionRow>('workflow_versions').where({ workflow_id: workflowId, digest }).first();
  return row && toWorkflowVersion(row);
}

/** Lists the versions of a workflow, newest first. */
export async function listWorkflowVersions(knex: Knex, workflowId: string): Promise<Summary[]> {
  if (!isStorableText(workflowId)) return [];
  const rows = await knex<WorkflowVersionRow>('workflow_versions')
    .select(...WORKFLOW_LIST_COLUMNS)
    .where('workflow_id', workflowId)
    .orderBy('version', 'desc');
  return rows.map(toWorkflowSummary);
}

/** Lists the newest version of each workflow, the most recently deployed first. */
export async function listWorkflows(knex: Knex, page: PageRequest): Promise<Page<Summary>> {
  const { rows, nextCursor } = await readPage(
    knex,
    {
      table: 'workflow_versions',
      list: 'workflows',
      filter: {},
      columns: WORKFLOW_LIST_COLUMNS,
      key: [
        { sql: 'deployed_at', type: 'timestamptz' },
        { sql: 'workflow_id', type: 'text' },
      ],
      direction: 'desc',
      branches: [{ pinned: [], predicate: 'newest', scanned: [] }],
    },
    page,
  );
  return { items: (rows as unknown as WorkflowVersionRow[]).map(toWorkflowSummary), nextCursor };
}
