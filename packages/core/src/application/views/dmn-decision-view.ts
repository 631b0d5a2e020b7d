import type { DmnDecisionVersionRecord } from '../../ports/dmn-decisions.js';
import type { DeployedDecisions } from '../../ports/engine.js';
import { toTimestamp } from './to-json-response.js';

type DmnDecisionVersionView = { version: number; digest: string; deployedAt: string; deployedBy: string };

export type DmnDecisionView = {
  decisionId: string;
  name: string;
  decisionType: 'decisionTable' | 'literalExpression';
  version: number;
  versions: DmnDecisionVersionView[];
  digest: string;
  decisionRequirementsId: string;
  requiredDecisions: string[];
};

export type DmnDecisionDetailView = DmnDecisionView & { dmnXml: string };

export type DeployedDecisionsView = {
  decisionRequirementsId: string;
  name: string | null;
  digest: string;
  decisions: { decisionId: string; name: string; decisionType: DmnDecisionView['decisionType']; version: number }[];
};

/** Builds the view of one DMN decision version, with a list of all versions, newest first. */
export function toDmnDecisionView(
  record: DmnDecisionVersionRecord,
  versions: readonly DmnDecisionVersionRecord[],
): DmnDecisionView {
  const { decisionId, name, decisionType, version, digest, decisionRequirementsId, requiredDecisions } = record;
  return {
    decisionId,
    name,
    decisionType,
    version,
    versions: versions.map(toVersionView),
    digest,
    decisionRequirementsId,
    requiredDecisions: [...requiredDecisions],
  };
}

export function toDeployedDecisionsView({
  decisionRequirementsId,
  name,
  digest,
  decisions,
}: DeployedDecisions): DeployedDecisionsView {
  const views = decisions.map((each) => ({
    decisionId: each.decisionId,
    name: each.name,
    decisionType: each.decisionType,
    version: each.version,
  }));
  return { decisionRequirementsId, name, digest, decisions: views };
}

function toVersionView({ version, digest, deployedAt, deployedBy }: DmnDecisionVersionRecord): DmnDecisionVersionView {
  return { version, digest, deployedAt: toTimestamp(deployedAt), deployedBy };
}
