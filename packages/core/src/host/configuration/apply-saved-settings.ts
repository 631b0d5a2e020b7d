import { isJsonObject } from '@countersign/model';
import { applyAssignment, type RawConfiguration } from './assemble-configuration.js';
import { isSavable } from './is-editable.js';
import { findSetting, getItemName } from './find-setting.js';
import { joinPath, decodeSettingKey, type SavedSetting } from './configuration-layers.js';
import { hasSecret, type ListNode, type SchemaNode, type SectionNode } from './schema-node.js';

/** Path of the setting that lists the saved settings to ignore. */
const IGNORE_PATH = ['Settings', 'Ignore'] as const;

/**
 * Applies saved settings on top of all other layers.
 *
 * @returns the keys of saved settings that no longer match anything or that the API cannot have saved
 */
export function applySavedSettings(root: SectionNode, raw: RawConfiguration, saved: readonly SavedSetting[]): string[] {
  const ignoredKeys = readIgnoredKeys(raw.values);
  const unknownKeys: string[] = [];
  // A list must be applied before settings of its items.
  const orderedSettings = saved
    .filter(({ key }) => !isIgnored(ignoredKeys, key))
    .toSorted((left, right) => decodeSettingKey(left.key).length - decodeSettingKey(right.key).length);
  for (const { key, value } of orderedSettings) {
    const location = findSetting(root, raw.values, key);
    if (!('node' in location) || !isSavable(location.node, value)) {
      unknownKeys.push(key);
      continue;
    }
    const { node, path } = location;
    const currentValue = getValueAt(raw.values, path);
    applyAssignment(root, raw, {
      path,
      value: node.kind === 'list' ? keepItemSecrets(node, currentValue, value) : value,
      source: 'override',
      origin: `saved setting ${key}`,
      savedKey: key,
    });
  }
  return unknownKeys;
}

/** Returns the keys in `Settings:Ignore`, even if its value is invalid. */
export function readIgnoredKeys(values: unknown): ReadonlySet<string> {
  const ignoreValue = getValueAt(values, IGNORE_PATH);
  return new Set((Array.isArray(ignoreValue) ? ignoreValue : [ignoreValue]).filter((key) => typeof key === 'string'));
}

export function isIgnored(ignoredKeys: ReadonlySet<string>, key: string): boolean {
  return ignoredKeys.has('*') || ignoredKeys.has(key);
}

/** Returns the value at a path. */
export function getValueAt(values: unknown, path: readonly string[]): unknown {
  let value = values;
  for (const segment of path)
    value = Array.isArray(value) || isJsonObject(value) ? (value as Record<string, unknown>)[segment] : undefined;
  return value;
}

/**
 * Adds the secrets that a saved list does not contain: each item gets the secrets of the current item with the same
 * name, at any index.
 */
function keepItemSecrets(list: ListNode, currentValue: unknown, items: unknown): unknown {
  if (list.itemKey === undefined || !Array.isArray(items)) return items;
  const currentByName = new Map(
    (Array.isArray(currentValue) ? currentValue : []).map((item: unknown) => [getItemName(list, item), item]),
  );
  return items.map((item: unknown) => {
    const name = getItemName(list, item);
    return name === undefined ? item : keepSecrets(list.item, currentByName.get(name), item);
  });
}

function keepSecrets(node: SchemaNode, currentValue: unknown, value: unknown): unknown {
  if (!hasSecret(node) || currentValue === undefined) return value;
  if (node.kind === 'value') return value ?? currentValue;
  if (node.kind !== 'section' || !isJsonObject(value) || !isJsonObject(currentValue)) return value;
  const secrets = [...node.children].flatMap(([key, child]): [string, unknown][] => {
    const keptSecret = hasSecret(child)
      ? keepSecrets(child, currentValue[key], value[key] ?? (child.kind === 'section' ? {} : undefined))
      : undefined;
    return keptSecret === undefined ? [] : [[key, keptSecret]];
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
      const names = value.map((item: unknown) => getItemName(node, item)).filter((name) => name !== undefined);
      const duplicates = names.filter((name, index) => names.indexOf(name) !== index);
      return [...new Set(duplicates)].map(
        (name) => `${joinPath(path)} has several items whose ${node.itemKey ?? ''} is "${name}".`,
      );
    }
    default:
      return [];
  }
}
