import type { DmnDecisionVersionRecord } from '@countersign/core/ports';

/** Row of `decision_versions`. */
export interface DecisionVersionRow {
  readonly decision_id: string;
  readonly version: number;
  readonly digest: string;
  readonly name: string;
  readonly decision_type: DmnDecisionVersionRecord['decisionType'];
  readonly required_decisions: string[];
  readonly decision_requirements_id: string;
  readonly deployed_at: number;
  readonly deployed_by: string;
  /** Whether no later version of the DMN decision exists. */
  readonly newest: boolean;
}

export function toDecisionVersion(row: DecisionVersionRow): DmnDecisionVersionRecord {
  return {
    decisionId: row.decision_id,
    version: row.version,
    digest: row.digest,
    name: row.name,
    decisionType: row.decision_type,
    requiredDecisions: row.required_decisions,
    decisionRequirementsId: row.decision_requirements_id,
    deployedAt: row.deployed_at,
    deployedBy: row.deployed_by,
  };
}
