import { isJsonObject, isSafeKey } from '@countersign/model';
import { encodeSettingKey, decodeSettingKey } from './configuration-layers.js';
import type { ListNode, SchemaNode, SectionNode } from './schema-node.js';

/** A setting in the schema and in the values. Its key addresses list items by name; the path contains their indexes. */
export interface FoundSetting {
  readonly node: SchemaNode;
  readonly path: readonly string[];
}

export interface MissingSetting {
  /** Number of key parts that were found. */
  readonly depth: number;
  /** The innermost node that was found. */
  readonly parent: SchemaNode;
}

/** Finds a setting in the current values. Only the canonical spelling of its key matches. */
export function findSetting(root: SectionNode, values: unknown, key: string): FoundSetting | MissingSetting {
  // If other spellings matched, a secret could be saved under two keys, and a rotation might change the value that is
  // not in effect.
  if (key !== encodeSettingKey(decodeSettingKey(key))) return { depth: 0, parent: root };
  let node: SchemaNode = root;
  let value: unknown = values;
  const path: string[] = [];
  for (const [depth, part] of decodeSettingKey(key).entries()) {
    const segment = toSegment(node, value, part);
    const child: SchemaNode | undefined = segment === undefined ? undefined : childNode(node, part);
    if (segment === undefined || child === undefined) return { depth, parent: node };
    path.push(segment);
    value = (value as Record<string, unknown> | undefined)?.[segment];
    node = child;
  }
  return { node, path };
}

/** Returns the schema node of a setting, even if no item with the given name exists. */
export function findSettingNode(root: SectionNode, key: string): SchemaNode | undefined {
  let node: SchemaNode | undefined = root;
  for (const part of decodeSettingKey(key)) {
    if (node === undefined) return undefined;
    node = childNode(node, part);
  }
  return node;
}

/** Returns the name of an item, if it has one. */
export function getItemName({ itemKey }: ListNode, item: unknown): string | undefined {
  if (itemKey === undefined || !isJsonObject(item)) return undefined;
  const name = item[itemKey];
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/**
 * Returns the node of a list item without the key that names the item. The name cannot be changed as a setting, because
 * the item's other saved settings would no longer match.
 */
export function omitItemKey(node: SchemaNode, itemKey: string | undefined): SchemaNode {
  if (node.kind !== 'section') return node;
  return { ...node, children: new Map([...node.children].filter(([key]) => key !== itemKey)) };
}

function childNode(node: SchemaNode, part: string): SchemaNode | undefined {
  switch (node.kind) {
    case 'section':
      return node.children.get(part);
    case 'list':
      return node.itemKey === undefined ? undefined : omitItemKey(node.item, node.itemKey);
    case 'map':
      return part !== '' && isSafeKey(part) ? node.value : undefined;
    case 'value':
      return undefined;
  }
}

function toSegment(node: SchemaNode, value: unknown, part: string): string | undefined {
  if (node.kind !== 'list') return part;
  const index = Array.isArray(value) ? value.findIndex((item) => getItemName(node, item) === part) : -1;
  return index < 0 ? undefined : String(index);
}
