import { checkPlugins, type PluginSource } from './check-plugins.js';
import { CoreConfigurationSchema } from './configuration/core-configuration.js';
import type { SchemaNode } from './configuration/schema-node.js';
import { buildSchemaTree } from './configuration/schema-tree.js';

/**
 * A part of the path to a secret: a key, any item of a list (named by `itemKey` if items have names), or any key of a
 * map.
 */
export type SecretPathPart =
  string | { readonly anyItem: true; readonly itemKey: string | null } | { readonly anyKey: true };

/** Returns the paths of secrets in the configuration of a host with these plugins, read from their schemas. */
export function findSecretPaths(sources: readonly PluginSource[]): (readonly SecretPathPart[])[] {
  const { plugins } = checkPlugins(sources);
  const { root } = buildSchemaTree([
    { owner: 'core', schema: CoreConfigurationSchema },
    ...plugins.flatMap(({ id, config }) => (config === undefined ? [] : [{ owner: id, schema: config }])),
  ]);
  return [...walkNodes(root, [])];
}

function* walkNodes(node: SchemaNode, path: readonly SecretPathPart[]): Generator<readonly SecretPathPart[]> {
  switch (node.kind) {
    case 'value':
      if (node.mark === 'secret') yield path;
      break;
    case 'section':
      for (const [key, child] of node.children) yield* walkNodes(child, [...path, key]);
      break;
    case 'list':
      yield* walkNodes(node.item, [...path, { anyItem: true, itemKey: node.itemKey ?? null }]);
      break;
    case 'map':
      yield* walkNodes(node.value, [...path, { anyKey: true }]);
      break;
  }
}
