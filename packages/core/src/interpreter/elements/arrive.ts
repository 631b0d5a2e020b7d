import type { FlowNode } from '../../domain/workflow-graph.js';
import type { Execution } from '../execution.js';
import { arriveAtComplex } from './complex-gateway.js';
import { arriveAtInclusive } from './inclusive-gateway.js';
import { arriveAtJoin } from './parallel-gateway.js';

/**
 * A token reaches a node: at a join it may have to wait for others.
 *
 * @param via the flow that it came by; `null` where nothing is waited for (again)
 * @returns whether the node is entered now
 */
export function arrive(execution: Execution, node: FlowNode, scopeKey: number, via: string | null): boolean {
  switch (node.kind) {
    case 'parallelGateway':
      return arriveAtJoin(execution, node, scopeKey, via);
    case 'inclusiveGateway':
      return arriveAtInclusive(execution, node, scopeKey, via);
    case 'complexGateway':
      return arriveAtComplex(execution, node, scopeKey, via);
    default:
      return true;
  }
}
