import type { WorkflowDeployment } from '@countersign/core/ports';
import { appendAudit } from '../audit/append-audit.js';
import type { Queryable } from '../database/transaction.js';
import { replaceStartEvents } from './replace-start-events.js';

export interface SavedVersion {
  readonly number: number;
  readonly created: boolean;
}

/** Stores the versions of several workflows, in the given order. */
export async function saveWorkflowVersions(
  transaction: Queryable,
  deployments: readonly WorkflowDeployment[],
): Promise<SavedVersion[]> {
  // Only one deployment per workflow at a time, so that version numbers have neither gaps nor duplicates. Workflows are
  // locked in the order of their ids, so that two servers do not deadlock.
  for (const workflowId of deployments.map(({ version }) => version.workflowId).sort()) {
    await transaction.query({
      text: `SELECT pg_advisory_xact_lock(hashtextextended('workflow:' || $1, 0))`,
      values: [workflowId],
    });
  }
  const saved: SavedVersion[] = [];
  for (const deployment of deployments) saved.push(await saveWorkflowVersion(transaction, deployment));
  return saved;
}

/**
 * Stores a BPMN model under the next version number of its workflow, or returns the number of the version with the same
 * content. Start events and the audit event are written only for a new version.
 */
async function saveWorkflowVersion(
  transaction: Queryable,
  { version, starts, audit }: WorkflowDeployment,
): Promise<SavedVersion> {
  const { rows } = await transaction.query({
    text: `SELECT max(version) AS last, max(version) FILTER (WHERE digest = $2) AS same FROM workflow_versions WHERE workflow_id = $1`,
    values: [version.workflowId, version.digest],
  });
  const same = rows[0]?.['same'];
  if (typeof same === 'number') return { number: same, created: false };
  const number = Number(rows[0]?.['last'] ?? 0) + 1;
  await transaction.query({
    text: 'UPDATE workflow_versions SET newest = false WHERE workflow_id = $1 AND newest',
    values: [version.workflowId],
  });
  await transaction.query({
    text: `INSERT INTO workflow_versions
             (workflow_id, version, digest, name, description, input_schema, elements, bpmn_xml, deployed_at, deployed_by)
           VALUES ($1, $2, $3, $4, $5, $6::jsonb, $7::jsonb, $8, $9, $10)`,
    values: [
      version.workflowId,
      number,
      version.digest,
      version.name,
      version.description,
      version.inputSchema === null ? null : JSON.stringify(version.inputSchema),
      JSON.stringify(version.elements),
      version.bpmnXml,
      new Date(version.deployedAt),
      version.deployedBy,
    ],
  });
  await replaceStartEvents(transaction, version.workflowId, number, starts);
  await appendAudit(transaction, [{ ...audit, data: { ...audit.data, version: number } }]);
  return { number, created: true };
}
