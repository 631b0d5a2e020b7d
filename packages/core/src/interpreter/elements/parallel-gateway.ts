import type { ParallelGateway } from '../../domain/workflow-graph.js';
import type { Execution } from '../execution.js';

/**
 * Counts a token in at a join. The gateway fires when at least one token waits on each incoming flow, and takes one from
 * each (BPMN 2.0, 13.4.1).
 *
 * @returns whether the gateway fires now.
 */
export function arriveAtJoin(execution: Execution, node: ParallelGateway, scopeKey: number, via: string | null): boolean {
  if (node.incoming.length < 2 || via === null) return true;
  const scope = execution.get(scopeKey);
  const waiting: Record<string, number> = { ...scope.joins?.[node.id] };
  waiting[via] = (waiting[via] ?? 0) + 1;
  const fires = node.incoming.every((flow) => (waiting[flow.id] ?? 0) > 0);
  const rest = fires ? takeOneEach(waiting) : waiting;
  const { [node.id]: _replaced, ...others } = scope.joins ?? {};
  const joins = Object.keys(rest).length === 0 ? others : { ...others, [node.id]: rest };
  const { joins: _old, ...bare } = scope;
  execution.put(Object.keys(joins).length === 0 ? bare : { ...bare, joins });
  return fires;
}

function takeOneEach(waiting: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(waiting)
      .map(([flow, count]): [string, number] => [flow, count - 1])
      .filter(([, count]) => count > 0),
  );
}
