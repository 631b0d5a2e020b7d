import type { ParallelGateway } from '@countersign/model';
import type { Execution } from '../execution.js';
import { addToken, takeTokens } from './joins.js';

/**
 * Adds a token to a join. The gateway fires when at least one token waits on each incoming flow, and takes one from
 * each (BPMN 2.0, 13.4.1).
 *
 * @returns whether the gateway fires now
 */
export function arriveAtParallelGateway(
  execution: Execution,
  node: ParallelGateway,
  scopeKey: number,
  via: string | null,
): boolean {
  if (node.incoming.length < 2 || via === null) return true;
  const waiting = addToken(execution, scopeKey, node.id, via);
  const flows = node.incoming.map((flow) => flow.id);
  if (!flows.every((id) => (waiting[id] ?? 0) > 0)) return false;
  takeTokens(execution, scopeKey, node.id, flows);
  return true;
}
