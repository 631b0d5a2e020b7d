import type { HostProblem } from '../../errors/host-problem.js';
import type { z } from 'zod';
import { buildSchemaNode, type SchemaNode, type SectionNode } from './schema-node.js';

/** A part of the configuration declared by the core or a plugin. */
export interface ConfigurationPart {
  /** The plugin's id, or `core`. */
  readonly owner: string;
  readonly schema: z.ZodType;
}

export interface SchemaTree {
  readonly root: SectionNode;
  /** The keys of each owner, separately. */
  readonly parts: ReadonlyMap<string, SectionNode>;
  readonly problems: readonly HostProblem[];
}

/** Merges the keys of all owners. Sections may be shared; a key declared by two owners is a problem. */
export function buildSchemaTree(parts: readonly ConfigurationPart[]): SchemaTree {
  const problems: HostProblem[] = [];
  const owners = new Map<string, string>();
  const nodes = new Map<string, SectionNode>();
  let root = createSection(new Map());
  for (const { owner, schema } of parts) {
    const node = buildSchemaNode(schema);
    if (node.kind !== 'section') {
      problems.push({
        code: 'invalid_plugin',
        message: `The "config" of plugin "${owner}" must be a zod object.`,
        plugins: [owner],
      });
      continue;
    }
    nodes.set(owner, node);
    root = merge(root, node, [], owner);
  }
  return { root, parts: nodes, problems };

  function merge(left: SectionNode, right: SectionNode, path: readonly string[], owner: string): SectionNode {
    const children = new Map(left.children);
    for (const [key, node] of right.children) {
      const childPath = [...path, key];
      const existing = children.get(key);
      if (existing === undefined) {
        children.set(key, node);
        recordOwner(node, childPath, owner);
      } else if (existing.kind === 'section' && node.kind === 'section') {
        children.set(key, merge(existing, node, childPath, owner));
      } else {
        const otherOwner = owners.get(childPath.join(':')) ?? 'core';
        problems.push({
          code: 'duplicate_configuration_key',
          message: `The configuration key ${childPath.join(':')} is declared by both "${otherOwner}" and "${owner}".`,
          plugins: [otherOwner, owner],
        });
      }
    }
    return { ...left, children };
  }

  function recordOwner(node: SchemaNode, path: readonly string[], owner: string): void {
    owners.set(path.join(':'), owner);
    if (node.kind === 'section') for (const [key, child] of node.children) recordOwner(child, [...path, key], owner);
  }
}

function createSection(children: ReadonlyMap<string, SchemaNode>): SectionNode {
  return {
    kind: 'section',
    children,
    title: undefined,
    description: undefined,
    defaultValue: undefined,
    optional: false,
    reloadable: false,
    deploymentOnly: false,
  };
}
