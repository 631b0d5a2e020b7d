import type { ModelWarning, StoragePort } from '@countersign/core/ports';
import type { WorkflowGraph } from '@countersign/model';
import { findDecisionReferences } from '../caches/decision-references.js';

/**
 * Returns warnings for business rule tasks whose DMN decision is not deployed. The workflow is deployed anyway, as in
 * Zeebe, because the DMN decision may be deployed later.
 */
export async function findMissingDecisions(
  storage: Pick<StoragePort, 'findNewestDecisions'>,
  graphs: readonly WorkflowGraph[],
): Promise<ModelWarning[]> {
  const references = graphs.flatMap(findDecisionReferences);
  if (references.length === 0) return [];
  const deployed = await storage.findNewestDecisions([...new Set(references.map(({ decisionId }) => decisionId))]);
  return references
    .filter(({ decisionId }) => !deployed.has(decisionId))
    .map(({ elementId, decisionId }) => ({
      severity: 'warning',
      rule: 'missing-decision',
      elementId,
      message: `DMN decision "${decisionId}" is not deployed. Deploy a DMN file that contains it before a run reaches this element.`,
    }));
}
