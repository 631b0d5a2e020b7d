import { isJsonObject } from '@countersign/model';
import { assign, type RawConfiguration } from './assemble.js';
import { isSavable } from './editable.js';
import { findSetting, itemName } from './find-setting.js';
import { keyOf, settingParts, type SavedSetting } from './layers.js';
import { hasSecret, type ListNode, type SchemaNode, type SectionNode } from './schema-node.js';

/** Path of the setting that lists the saved settings to ignore. */
const IGNORE = ['Settings', 'Ignore'] as const;

/**
 * Applies saved settings on top of all other layers.
 *
 * @returns the keys of saved settings that no longer match anything or that the API cannot have saved
 */
export function applySaved(root: SectionNode, raw: RawConfiguration, saved: readonly SavedSetting[]): string[] {
  const ignored = ignoredSettings(raw.values);
  const homeless: string[] = [];
  // A list must be applied before settings of its items.
  const inOrder = saved
    .filter(({ key }) => !isIgnored(ignored, key))
    .toSorted((left, right) => settingParts(left.key).length - settingParts(right.key).length);
  for (const { key, value } of inOrder) {
    const place = findSetting(root, raw.values, key);
    if (!('node' in place) || !isSavable(place.node, value)) {
      homeless.push(key);
      continue;
    }
    const { node, path } = place;
    const present = valueAt(raw.values, path);
    assign(root, raw, {
      path,
      value: node.kind === 'list' ? withSecretsOf(node, present, value) : value,
      source: 'override',
      origin: `saved setting ${key}`,
      saved: key,
    });
  }
  return homeless;
}

/** Returns the keys in `Settings:Ignore`, even if its value is invalid. */
export function ignoredSettings(values: unknown): ReadonlySet<string> {
  const found = valueAt(values, IGNORE);
  return new Set((Array.isArray(found) ? found : [found]).filter((key) => typeof key === 'string'));
}

export function isIgnored(ignored: ReadonlySet<string>, key: string): boolean {
  return ignored.has('*') || ignored.has(key);
}

/** Returns the value at a path. */
export function valueAt(values: unknown, path: readonly string[]): unknown {
  let value = values;
  for (const segment of path)
    value = Array.isArray(value) || isJsonObject(value) ? (value as Record<string, unknown>)[segment] : undefined;
  return value;
}

/**
 * Adds secrets to a saved list, which contains none: each item gets the secrets of the present item with the same name,
 * at any index.
 */
function withSecretsOf(list: ListNode, present: unknown, items: unknown): unknown {
  if (list.itemKey === undefined || !Array.isArray(items)) return items;
  const there = new Map((Array.isArray(present) ? present : []).map((item: unknown) => [itemName(list, item), item]));
  return items.map((item: unknown) => {
    const name = itemName(list, item);
    return name === undefined ? item : withSecrets(list.item, there.get(name), item);
  });
}

function withSecrets(node: SchemaNode, present: unknown, value: unknown): unknown {
  if (!hasSecret(node) || present === undefined) return value;
  if (node.kind === 'value') return value ?? present;
  if (node.kind !== 'section' || !isJsonObject(value) || !isJsonObject(present)) return value;
  const secrets = [...node.children].flatMap(([key, child]): [string, unknown][] => {
    const kept = hasSecret(child)
      ? withSecrets(child, present[key], value[key] ?? (child.kind === 'section' ? {} : undefined))
      : undefined;
    return kept === undefined ? [] : [[key, kept]];
  });
  return { ...value, ...Object.fromEntries(secrets) };
}

/**
 * Finds duplicate item names, because a setting key could not tell such items apart. Returns the problems as
 * messages.
 */
export function findDuplicateNames(node: SchemaNode, value: unknown, path: readonly string[]): string[] {
  switch (node.kind) {
    case 'section':
      return isJsonObject(value)
        ? [...node.children].flatMap(([key, child]) => findDuplicateNames(child, value[key], [...path, key]))
        : [];
    case 'list': {
      if (!Array.isArray(value)) return [];
      const names = value.map((item: unknown) => itemName(node, item)).filter((name) => name !== undefined);
      const twins = names.filter((name, index) => names.indexOf(name) !== index);
      return [...new Set(twins)].map(
        (name) => `${keyOf(path)} has several items whose ${node.itemKey ?? ''} is "${name}".`,
      );
    }
    default:
      return [];
  }
}
