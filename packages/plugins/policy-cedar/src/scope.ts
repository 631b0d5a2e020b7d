import type { PolicyJson } from '@cedar-policy/cedar-wasm/nodejs';
import { toEntityUid } from './annotations.js';

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
 * Returns whether a policy may apply according to its scope. Any other policy cannot affect the decision (Cedar,
 * "Policy slicing") and is not passed to Cedar.
 */
export function canApply(policy: PolicyJson, action: string, principal: EntityRef, resource: EntityRef): boolean {
  return (
    matchesAction(policy.action, action) &&
    matchesEntity(policy.principal, principal) &&
    matchesEntity(policy.resource, resource)
  );
}

/** Returns whether a policy may apply to an action according to its scope. */
export function matchesAction(constraint: PolicyJson['action'], action: string): boolean {
  if (constraint.op === 'All') return true;
  const entities = 'entities' in constraint ? constraint.entities : 'entity' in constraint ? [constraint.entity] : [];
  return entities.some((each) => {
    const { id } = toEntityUid(each as { readonly type: string; readonly id: string });
    return id === action || !ACTIONS.includes(id);
  });
}

function matchesEntity(constraint: Constraint, requested: EntityRef): boolean {
  switch (constraint.op) {
    case 'All':
      return true;
    case '==':
      return !('entity' in constraint) || isSameEntity(constraint.entity, requested);
    case 'in':
      return !('entity' in constraint) || isSameOrDescendant(constraint.entity, requested);
    case 'is':
      return (
        constraint.entity_type === requested.type &&
        (constraint.in === undefined ||
          !('entity' in constraint.in) ||
          isSameOrDescendant(constraint.in.entity, requested))
      );
  }
}

type ScopeEntity = Parameters<typeof toEntityUid>[0];

function isSameEntity(entity: ScopeEntity, { type, id }: { readonly type: string; readonly id: string }): boolean {
  const uid = toEntityUid(entity);
  return uid.type === type && uid.id === id;
}

function isSameOrDescendant(entity: ScopeEntity, requested: EntityRef): boolean {
  return isSameEntity(entity, requested) || requested.parents.some((parent) => isSameEntity(entity, parent));
}
