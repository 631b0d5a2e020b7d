import type { ElementInstance } from '@countersign/model';
import type { Execution } from '../execution.js';

/** Number of tokens that wait at a join, by incoming flow. Flows without tokens are omitted. */
export type WaitingTokens = Readonly<Record<string, number>>;

export function getWaitingTokens(scope: ElementInstance, gatewayId: string): WaitingTokens {
  return scope.joins?.[gatewayId] ?? {};
}

/** Adds a token to those that wait at a join, and returns all of them. */
export function addToken(execution: Execution, scopeKey: number, gatewayId: string, via: string): WaitingTokens {
  const waiting = getWaitingTokens(execution.get(scopeKey), gatewayId);
  const updatedTokens = { ...waiting, [via]: (waiting[via] ?? 0) + 1 };
  putTokens(execution, scopeKey, gatewayId, updatedTokens);
  return updatedTokens;
}

/** Removes one token from each of the given flows that has any. */
export function takeTokens(execution: Execution, scopeKey: number, gatewayId: string, flows: readonly string[]): void {
  const rest: Record<string, number> = {};
  for (const [flow, count] of Object.entries(getWaitingTokens(execution.get(scopeKey), gatewayId))) {
    const remaining = flows.includes(flow) ? count - 1 : count;
    if (remaining > 0) rest[flow] = remaining;
  }
  putTokens(execution, scopeKey, gatewayId, rest);
}

function putTokens(execution: Execution, scopeKey: number, gatewayId: string, waiting: WaitingTokens): void {
  const { joins: old, ...scope } = execution.get(scopeKey);
  const { [gatewayId]: _replaced, ...others } = old ?? {};
  const joins = Object.keys(waiting).length === 0 ? others : { ...others, [gatewayId]: waiting };
  execution.put(Object.keys(joins).length === 0 ? scope : { ...scope, joins });
}
