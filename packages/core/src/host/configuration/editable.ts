import { isJsonObject } from '@countersign/model';
import { isSecretValue } from '../secret.js';
import { hasSecret, isSecret, type SchemaNode } from './schema-node.js';

/**
 * Whether the API may change it: not what is fixed where the server is deployed, no place on a machine's disk, and no
 * secret that has no name of its own.
 */
export function isEditable(node: SchemaNode): boolean {
  if (node.kind === 'section' || holdsFixed(node) || isPath(node)) return false;
  if (node.kind === 'list') return node.itemKey !== undefined || !hasSecret(node);
  return node.kind !== 'map' || !hasSecret(node);
}

/** A list whose items have something fixed must not be saved as a whole: that would be a way around it. */
function holdsFixed(node: SchemaNode): boolean {
  switch (node.kind) {
    case 'value':
      return node.fixed;
    case 'list':
      return node.fixed || holdsFixed(node.item);
    case 'map':
      return node.fixed || holdsFixed(node.value);
    case 'section':
      return node.fixed || [...node.children.values()].some(holdsFixed);
  }
}

function isPath(node: SchemaNode): boolean {
  switch (node.kind) {
    case 'value':
      return node.mark === 'path';
    case 'list':
      return isPath(node.item);
    case 'map':
      return isPath(node.value);
    case 'section':
      return [...node.children.values()].some(isPath);
  }
}

/**
 * Whether it is what this setting may be saved as: a secret encrypted, anything else without a secret in it. Whoever can
 * write into the database must not be able to give a server plugins to load, or secrets of their own.
 */
export function isSavable(node: SchemaNode, value: unknown): boolean {
  if (!isEditable(node)) return false;
  return isSecret(node) ? isSecretValue(value) : !isSecretValue(value) && !holdsSecret(node, value);
}

/** Whether a value gives a secret that stands in it. */
export function holdsSecret(node: SchemaNode, value: unknown): boolean {
  if (!hasSecret(node)) return false;
  if (Array.isArray(value)) return node.kind === 'list' && value.some((item: unknown) => holdsSecret(node.item, item));
  if (isSecret(node)) return true;
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([key, item]) => {
    const child = node.kind === 'section' ? node.children.get(key) : node.kind === 'map' ? node.value : undefined;
    return child !== undefined && holdsSecret(child, item);
  });
}
