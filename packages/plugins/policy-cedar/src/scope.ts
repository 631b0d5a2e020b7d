import type { PolicyJson } from '@cedar-policy/cedar-wasm/nodejs';
import { uidOf } from './annotations.js';

/** Entity that a request is about, with all its ancestors. */
export interface EntityRef {
  readonly type: string;
  readonly id: string;
  readonly parents: readonly { readonly type: string; readonly id: string }[];
}

type Constraint = PolicyJson['principal'] | PolicyJson['resource'];

/** All known actions; any other name in a scope counts as a group that may contain each of them. */
const ACTIONS: readonly string[] = ['perform', 'call', 'callUnattended', 'weighStep', 'weighCall'];

/**
 * Returns whether the head of a policy allows it to apply. A policy that is ruled out cannot decide (Cedar, "Policy
 * slicing") and is not passed to Cedar; in doubt, it is.
 */
export function isCandidate(policy: PolicyJson, action: string, principal: EntityRef, resource: EntityRef): boolean {
  return (
    actionFits(policy.action, action) &&
    entityFits(policy.principal, principal) &&
    entityFits(policy.resource, resource)
  );
}

/** Returns whether the head of a policy allows it to apply to an action. */
export function actionFits(constraint: PolicyJson['action'], action: string): boolean {
  if (constraint.op === 'All') return true;
  const named = 'entities' in constraint ? constraint.entities : 'entity' in constraint ? [constraint.entity] : [];
  return named.some((each) => {
    const { id } = uidOf(each as { readonly type: string; readonly id: string });
    return id === action || !ACTIONS.includes(id);
  });
}

function entityFits(constraint: Constraint, asked: EntityRef): boolean {
  switch (constraint.op) {
    case 'All':
      return true;
    case '==':
      return !('entity' in constraint) || isSame(constraint.entity, asked);
    case 'in':
      return !('entity' in constraint) || isIn(constraint.entity, asked);
    case 'is':
      return (
        constraint.entity_type === asked.type &&
        (constraint.in === undefined || !('entity' in constraint.in) || isIn(constraint.in.entity, asked))
      );
  }
}

type Named = Parameters<typeof uidOf>[0];

function isSame(entity: Named, { type, id }: { readonly type: string; readonly id: string }): boolean {
  const named = uidOf(entity);
  return named.type === type && named.id === id;
}

function isIn(entity: Named, asked: EntityRef): boolean {
  return isSame(entity, asked) || asked.parents.some((parent) => isSame(entity, parent));
}
