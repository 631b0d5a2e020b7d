import { type FlowNode, unreachable } from '@countersign/model';
import type { Execution } from '../execution.js';
import { arriveAtComplexGateway } from './complex-gateway.js';
import { arriveAtInclusiveGateway } from './inclusive-gateway.js';
import { arriveAtParallelGateway } from './parallel-gateway.js';

/**
 * Handles the arrival of a token at a node. At a join, the token may have to wait for others.
 *
 * @param via the flow on which the token arrived; `null` if it used no flow or has already waited at the join
 * @returns whether the node is entered now
 */
export function arrive(execution: Execution, node: FlowNode, scopeKey: number, via: string | null): boolean {
  switch (node.kind) {
    case 'parallelGateway':
      return arriveAtParallelGateway(execution, node, scopeKey, via);
    case 'inclusiveGateway':
      return arriveAtInclusiveGateway(execution, node, scopeKey, via);
    case 'complexGateway':
      return arriveAtComplexGateway(execution, node, scopeKey, via);
    case 'startEvent':
    case 'endEvent':
    case 'catch':
    case 'boundaryEvent':
    case 'throw':
    case 'linkThrow':
    case 'jobTask':
    case 'userTask':
    case 'scriptTask':
    case 'decisionTask':
    case 'passTask':
    case 'exclusiveGateway':
    case 'eventGateway':
    case 'subProcess':
    case 'adHocSubProcess':
    case 'eventSubProcess':
    case 'callActivity':
      return true;
    default:
      return unreachable(node);
  }
}
