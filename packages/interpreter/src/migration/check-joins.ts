import { type ElementInstance, type FlowNode, getNodeTraits } from '@countersign/model';
import { requireCounterpart, type AddRefusal } from './require-counterpart.js';
import type { ElementMapping } from './element-mapping.js';

/**
 * Checks the tokens that wait at joins, and complex gateways that have fired.
 *
 * @returns the ids of the gateways
 */
export function checkJoins(mapping: ElementMapping, scope: ElementInstance, refuse: AddRefusal): string[] {
  const gateways = [...new Set([...Object.keys(scope.joins ?? {}), ...Object.keys(scope.resets ?? {})])];
  for (const id of gateways) {
    const before = mapping.source.nodes.get(id);
    const after = before === undefined ? undefined : requireCounterpart(mapping, before, refuse);
    if (before === undefined || after === undefined) continue;
    const flowsWithTokens = [...Object.keys(scope.joins?.[id] ?? {}), ...(scope.resets?.[id] ?? [])];
    // A parallel join waits for a token on every flow, so all flows must match.
    const mustMatchAllFlows = getNodeTraits(before).merging === 'all';
    const flows = mustMatchAllFlows ? before.incoming.map((flow) => flow.id) : [...new Set(flowsWithTokens)];
    const counterparts = new Set(flows.map((flow) => findCounterpartFlow(mapping, before, after, flow)));
    if (
      !counterparts.has(undefined) &&
      counterparts.size === flows.length &&
      (!mustMatchAllFlows || after.incoming.length === flows.length)
    )
      continue;
    refuse('join_changed', id, `Tokens wait at "${id}", and "${after.id}" has different incoming flows.`);
  }
  return gateways;
}

/**
 * Returns the counterpart of a flow into a gateway: the flow with the same id, or else the flow from the counterpart of
 * its source. If several flows connect the two, they match in their order, provided that their number is equal.
 */
export function findCounterpartFlow(
  mapping: ElementMapping,
  before: FlowNode,
  after: FlowNode,
  flowId: string,
): string | undefined {
  if (after.incoming.some((flow) => flow.id === flowId)) return flowId;
  const sourceId = before.incoming.find((flow) => flow.id === flowId)?.sourceId;
  if (sourceId === undefined) return undefined;
  const sourceFlows = before.incoming.filter((flow) => flow.sourceId === sourceId);
  const targetFlows = after.incoming.filter((flow) => flow.sourceId === mapping.findTargetId(sourceId));
  if (sourceFlows.length !== targetFlows.length && targetFlows.length > 1) return undefined;
  return targetFlows[
    sourceFlows.length === targetFlows.length ? sourceFlows.findIndex((flow) => flow.id === flowId) : 0
  ]?.id;
}
