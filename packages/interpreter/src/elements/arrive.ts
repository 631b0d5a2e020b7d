import { type FlowNode, unreachable } from '@countersign/model';
import type { Execution } from '../execution.js';
import { arriveAtComplex } from './complex-gateway.js';
import { arriveAtInclusive } from './inclusive-gateway.js';
import { arriveAtJoin } from './parallel-gateway.js';

/**
 * Handles the arrival of a token at a node. At a join, the token may have to wait for others.
 *
 * @param via the flow that the token arrived by; `null` if it need not wait (again)
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
