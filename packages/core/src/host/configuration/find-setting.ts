import { isJsonObject, isSafeKey } from '@countersign/model';
import { settingKey, settingParts } from './layers.js';
import type { ListNode, SchemaNode, SectionNode } from './schema-node.js';

/** Where a setting stands: items of lists, which settings address by their names, have their places in the path. */
export interface SettingPlace {
  readonly node: SchemaNode;
  readonly path: readonly string[];
}

export interface SettingMissing {
  /** How many parts of the key were found. */
  readonly depth: number;
  /** What is there in its place. */
  readonly within: SchemaNode;
}

/** Finds a setting among the values as they are now. Each has one key: under another spelling of it there is nothing. */
export function findSetting(root: SectionNode, values: unknown, key: string): SettingPlace | SettingMissing {
  // Else one secret could be saved twice, and the one that is rotated would not be the one in effect.
  if (key !== settingKey(settingParts(key))) return { depth: 0, within: root };
  let node: SchemaNode = root;
  let value: unknown = values;
  const path: string[] = [];
  for (const [depth, part] of settingParts(key).entries()) {
    const segment = segmentOf(node, value, part);
    const child: SchemaNode | undefined = segment === undefined ? undefined : childOf(node, part);
    if (segment === undefined || child === undefined) return { depth, within: node };
    path.push(segment);
    value = (value as Record<string, unknown> | undefined)?.[segment];
    node = child;
  }
  return { node, path };
}

/** What the schema says of a setting, whether there is an item of that name or not. */
export function settingNode(root: SectionNode, key: string): SchemaNode | undefined {
  let node: SchemaNode | undefined = root;
  for (const part of settingParts(key)) {
    if (node === undefined) return undefined;
    node = childOf(node, part);
  }
  return node;
}

/** The name of an item, where it has one. */
export function itemName({ itemKey }: ListNode, item: unknown): string | undefined {
  if (itemKey === undefined || !isJsonObject(item)) return undefined;
  const name = item[itemKey];
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** The name of an item is how it is addressed, and no setting of it: with it, what is saved of the item would lose its home. */
export function withoutName(node: SchemaNode, itemKey: string | undefined): SchemaNode {
  if (node.kind !== 'section') return node;
  return { ...node, children: new Map([...node.children].filter(([key]) => key !== itemKey)) };
}

function childOf(node: SchemaNode, part: string): SchemaNode | undefined {
  switch (node.kind) {
    case 'section':
      return node.children.get(part);
    case 'list':
      return node.itemKey === undefined ? undefined : withoutName(node.item, node.itemKey);
    case 'map':
      return part !== '' && isSafeKey(part) ? node.value : undefined;
    case 'value':
      return undefined;
  }
}

function segmentOf(node: SchemaNode, value: unknown, part: string): string | undefined {
  if (node.kind !== 'list') return part;
  const index = Array.isArray(value) ? value.findIndex((item) => itemName(node, item) === part) : -1;
  return index < 0 ? undefined : String(index);
}
