import type { DmnDeployment } from '@countersign/core/ports';
import { isoTime } from '@countersign/model';
import { appendAudit } from '../audit/append-audit.js';
import type { Queryable } from '../database/transaction.js';

/**
 * Stores the DMN decisions of a file, each with its next version number. The number of statements does not depend on
 * the number of DMN decisions.
 *
 * @returns whether the file is new; if not, nothing is written
 */
export async function saveDecisions(
  transaction: Queryable,
  { digest, dmnXml, decisions }: DmnDeployment,
): Promise<boolean> {
  // Deployments of DMN decisions run one at a time: they are rare, and a file may contain more DMN decisions than there
  // are locks.
  await transaction.query({ text: `SELECT pg_advisory_xact_lock(hashtextextended('decisions', 0))`, values: [] });
  const { rows } = await transaction.query({
    text: 'INSERT INTO decision_files (digest, dmn_xml) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING digest',
    values: [digest, dmnXml],
  });
  if (rows.length === 0) return false;
  const versionNumbers = await insertVersions(
    transaction,
    decisions.map(({ version }) => version),
  );
  await appendAudit(
    transaction,
    decisions.map(({ version, audit }) => ({
      ...audit,
      data: { ...audit.data, version: versionNumbers.get(version.decisionId) ?? 1 },
    })),
  );
  return true;
}

type Version = DmnDeployment['decisions'][number]['version'];

async function insertVersions(
  transaction: Queryable,
  versions: readonly Version[],
): Promise<ReadonlyMap<string, number>> {
  await transaction.query({
    text: 'UPDATE decision_versions SET newest = false WHERE newest AND decision_id = ANY($1)',
    values: [versions.map(({ decisionId }) => decisionId)],
  });
  const { rows } = await transaction.query({
    text: `INSERT INTO decision_versions
             (decision_id, version, digest, name, decision_type, required_decisions, decision_requirements_id, deployed_at, deployed_by)
           SELECT decision_id, COALESCE((SELECT max(d.version) FROM decision_versions d WHERE d.decision_id = n.decision_id), 0) + 1,
                  digest, name, decision_type, required_decisions, decision_requirements_id, deployed_at, deployed_by
           FROM json_to_recordset($1::json) AS n (decision_id text, digest text, name text, decision_type text,
                  required_decisions jsonb, decision_requirements_id text, deployed_at timestamptz, deployed_by text)
           RETURNING decision_id, version`,
    values: [JSON.stringify(versions.map(toRow))],
  });
  return new Map(rows.map((row) => [String(row['decision_id']), Number(row['version'])]));
}

function toRow(version: Version): Record<string, unknown> {
  return {
    decision_id: version.decisionId,
    digest: version.digest,
    name: version.name,
    decision_type: version.decisionType,
    required_decisions: version.requiredDecisions,
    decision_requirements_id: version.decisionRequirementsId,
    deployed_at: isoTime(version.deployedAt),
    deployed_by: version.deployedBy,
  };
}
