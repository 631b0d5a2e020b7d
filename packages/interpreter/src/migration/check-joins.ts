import { type ElementInstance, type FlowNode, traitsOf } from '@countersign/model';
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
    const held = [...Object.keys(scope.joins?.[id] ?? {}), ...(scope.resets?.[id] ?? [])];
    // A parallel join fires by the number of its flows, so all of them must match.
    const isExact = traitsOf(before).merging === 'all';
    const flows = isExact ? before.incoming.map((flow) => flow.id) : [...new Set(held)];
    const counterparts = new Set(flows.map((flow) => flowOf(mapping, before, after, flow)));
    if (
      !counterparts.has(undefined) &&
      counterparts.size === flows.length &&
      (!isExact || after.incoming.length === flows.length)
    )
      continue;
    refuse('join_changed', id, `Tokens wait at "${id}", and "${after.id}" has other incoming flows.`);
  }
  return gateways;
}

/**
 * Returns the counterpart of a flow into a gateway: the flow with the same id, or else the flow from the counterpart of
 * its source. If several flows connect the two, they match in their order, provided that their number is equal.
 */
export function flowOf(mapping: ElementMapping, before: FlowNode, after: FlowNode, flowId: string): string | undefined {
  if (after.incoming.some((flow) => flow.id === flowId)) return flowId;
  const sourceId = before.incoming.find((flow) => flow.id === flowId)?.sourceId;
  if (sourceId === undefined) return undefined;
  const mine = before.incoming.filter((flow) => flow.sourceId === sourceId);
  const theirs = after.incoming.filter((flow) => flow.sourceId === mapping.of(sourceId));
  if (mine.length !== theirs.length && theirs.length > 1) return undefined;
  return theirs[mine.length === theirs.length ? mine.findIndex((flow) => flow.id === flowId) : 0]?.id;
}
