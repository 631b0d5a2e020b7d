import { isJsonObject } from '@countersign/model';
import { isSecretValue } from '../secret.js';
import { hasSecret, isSecret, type SchemaNode } from './schema-node.js';

/**
 * Returns whether the API may change a setting. It may not change deployment-only settings, file system paths, or
 * secrets that are not addressable by name.
 */
export function isEditable(node: SchemaNode): boolean {
  if (node.kind === 'section' || containsDeploymentOnly(node) || containsPath(node)) return false;
  if (node.kind === 'list') return node.itemKey !== undefined || !hasSecret(node);
  return node.kind !== 'map' || !hasSecret(node);
}

/**
 * Returns whether a node contains a deployment-only setting. A list with one must not be saved as a whole, because that
 * would bypass the restriction.
 */
function containsDeploymentOnly(node: SchemaNode): boolean {
  switch (node.kind) {
    case 'value':
      return node.deploymentOnly;
    case 'list':
      return node.deploymentOnly || containsDeploymentOnly(node.item);
    case 'map':
      return node.deploymentOnly || containsDeploymentOnly(node.value);
    case 'section':
      return node.deploymentOnly || [...node.children.values()].some(containsDeploymentOnly);
  }
}

function containsPath(node: SchemaNode): boolean {
  switch (node.kind) {
    case 'value':
      return node.mark === 'path';
    case 'list':
      return containsPath(node.item);
    case 'map':
      return containsPath(node.value);
    case 'section':
      return [...node.children.values()].some(containsPath);
  }
}

/**
 * Returns whether a saved value of a setting may be applied: a secret must have been saved encrypted, and no other
 * value may contain secrets. Otherwise, a person with write access to the database could make a server load plugins or
 * use secrets of their choice.
 */
export function isSavable(node: SchemaNode, value: unknown): boolean {
  if (!isEditable(node)) return false;
  return isSecret(node) ? isSecretValue(value) : !isSecretValue(value) && !containsSecret(node, value);
}

/** Returns whether a value contains a secret. */
export function containsSecret(node: SchemaNode, value: unknown): boolean {
  if (!hasSecret(node)) return false;
  if (Array.isArray(value))
    return node.kind === 'list' && value.some((item: unknown) => containsSecret(node.item, item));
  if (isSecret(node)) return true;
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([key, item]) => {
    const child = node.kind === 'section' ? node.children.get(key) : node.kind === 'map' ? node.value : undefined;
    return child !== undefined && containsSecret(child, item);
  });
}
