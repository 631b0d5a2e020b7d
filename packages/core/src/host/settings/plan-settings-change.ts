import { escapePointer, isJsonObject, type Json, type JsonObject, formatSuggestion } from '@countersign/model';
import { getValueAt } from '../configuration/apply-saved-settings.js';
import { containsSecret, isEditable } from '../configuration/is-editable.js';
import { findSetting, findSettingNode, type MissingSetting } from '../configuration/find-setting.js';
import { encodeSettingKey, decodeSettingKey, type SavedSetting } from '../configuration/configuration-layers.js';
import type { ResolvedConfiguration } from '../configuration/resolve-configuration.js';
import { isSecret, type SchemaNode } from '../configuration/schema-node.js';
import { Secret, isSecretValue } from '../secret.js';
import type { LiveConfiguration } from './live-configuration.js';
import { buildSettingViews } from './setting-view.js';

/** A change requested by an admin. */
export interface SettingsRequest {
  /** `null` resets a saved setting, including a secret. */
  readonly values: Readonly<Record<string, Json>>;
  readonly secrets: Readonly<Record<string, string>>;
}

export interface SettingError extends JsonObject {
  readonly pointer: string;
  readonly code: 'unknown_setting' | 'not_editable' | 'invalid';
  readonly message: string;
}

/** The planned effect of a change, or its errors. */
export interface SettingsPlan {
  readonly errors: readonly SettingError[];
  /** All saved settings after the change. */
  readonly saved: readonly SavedSetting[];
  readonly values: ReadonlyMap<string, Json>;
  readonly secrets: ReadonlyMap<string, { readonly value: string; readonly previousValue: string }>;
  readonly removed: readonly string[];
  readonly resolved: ResolvedConfiguration;
}

/**
 * Plans the effect of a request on the settings.
 *
 * @param storedKeys keys of all saved settings, including those without effect
 */
export function planSettingsChange(
  configuration: LiveConfiguration,
  saved: readonly SavedSetting[],
  storedKeys: readonly string[],
  request: SettingsRequest,
): SettingsPlan {
  const configurationBefore = configuration.resolve(saved);
  const errors: SettingError[] = [];
  const addError = (field: 'values' | 'secrets', key: string, code: SettingError['code'], message: string): void => {
    errors.push({ pointer: `/${field}/${escapePointer(key)}`, code, message });
  };
  const settingsByKey = new Map(saved.map((setting) => [setting.key, setting]));
  const values = new Map<string, Json>();
  const secrets = new Map<string, { value: string; previousValue: string }>();
  const removed = new Set<string>();

  for (const [key, value] of Object.entries(request.values)) {
    const location = findSetting(configurationBefore.root, configurationBefore.raw.values, key);
    if (Object.hasOwn(request.secrets, key))
      addError('values', key, 'invalid', 'This setting is also given under "secrets". Give it only once.');
    else if (key.length > MAX_KEY_LENGTH) addError('values', key, 'unknown_setting', KEY_TOO_LONG_MESSAGE);
    else if (value === null && (storedKeys.includes(key) || 'node' in location)) removeSetting(key);
    else if (!('node' in location) || location.node.kind === 'section')
      addError(
        'values',
        key,
        'unknown_setting',
        describeUnknownSetting(key, location, configurationBefore, errors.length < MAX_HINTS),
      );
    else if (!isEditable(location.node)) addError('values', key, 'not_editable', NOT_EDITABLE_MESSAGE);
    else if (isSecret(location.node)) addError('values', key, 'invalid', 'This is a secret. Give it under "secrets".');
    else putValue(key, value, location.node);
  }
  const configurationWithValues = configuration.resolve([...settingsByKey.values()]);
  for (const [key, value] of Object.entries(request.secrets)) {
    const location = findSetting(configurationWithValues.root, configurationWithValues.raw.values, key);
    if (key.length > MAX_KEY_LENGTH) addError('secrets', key, 'unknown_setting', KEY_TOO_LONG_MESSAGE);
    else if (!('node' in location) || location.node.kind === 'section')
      addError(
        'secrets',
        key,
        'unknown_setting',
        describeUnknownSetting(key, location, configurationWithValues, errors.length < MAX_HINTS),
      );
    else if (!isEditable(location.node)) addError('secrets', key, 'not_editable', NOT_EDITABLE_MESSAGE);
    else if (!isSecret(location.node))
      addError('secrets', key, 'invalid', 'This is not a secret. Give it under "values".');
    else rotateSecret(key, value, configurationWithValues, location.path);
  }
  dropRemovedItems();
  const resolved = configuration.resolve([...settingsByKey.values()]);
  if (errors.length === 0)
    for (const { message, setting } of resolved.problems) addError(...findField(setting), 'invalid', message);
  return { errors, saved: [...settingsByKey.values()], values, secrets, removed: [...removed], resolved };

  function removeSetting(key: string): void {
    settingsByKey.delete(key);
    if (storedKeys.includes(key)) removed.add(key);
  }

  function putValue(key: string, value: Json, node: SchemaNode): void {
    const cleanValue = removePlaceholders(node, value);
    if (containsSecret(node, cleanValue))
      addError(
        'values',
        key,
        'invalid',
        'The value contains a secret. Omit the secret here, and give it under "secrets" with its own key.',
      );
    else if (JSON.stringify(settingsByKey.get(key)?.value) !== JSON.stringify(cleanValue)) {
      values.set(key, cleanValue);
      settingsByKey.set(key, { key, value: cleanValue });
    }
  }

  function rotateSecret(key: string, value: string, { raw }: ResolvedConfiguration, path: readonly string[]): void {
    const currentValue = getValueAt(raw.values, path);
    const currentSecret = isSecretValue(currentValue)
      ? currentValue.reveal()
      : typeof currentValue === 'string'
        ? currentValue
        : '';
    if (currentSecret === value && settingsByKey.has(key)) return;
    secrets.set(key, { value, previousValue: currentSecret });
    settingsByKey.set(key, { key, value: new Secret(value) });
  }

  /**
   * Removes the saved settings of removed items, so that a later item with the same name does not inherit their
   * secrets.
   */
  function dropRemovedItems(): void {
    const changedKeys = [...values.keys(), ...removed];
    const isItemOfChangedList = (key: string): boolean => changedKeys.some((list) => key.startsWith(`${list}:`));
    for (const key of configuration.resolve([...settingsByKey.values()]).unknownSavedKeys)
      if (isItemOfChangedList(key)) removeSetting(key);
  }

  function findField(setting: string | undefined): ['values' | 'secrets', string] {
    return setting !== undefined && secrets.has(setting) ? ['secrets', setting] : ['values', setting ?? ''];
  }
}

/** Maximum key length in characters, because of a database index. */
const MAX_KEY_LENGTH = 1_000;

const KEY_TOO_LONG_MESSAGE = `The key of a setting has at most ${MAX_KEY_LENGTH} characters.`;

/**
 * Maximum number of hints. Finding the nearest name takes milliseconds, and a request may contain thousands of invalid
 * keys.
 */
const MAX_HINTS = 10;

const NOT_EDITABLE_MESSAGE =
  'This setting cannot be changed here. Set it in the configuration file, the environment or the command line of the server.';

function describeUnknownSetting(
  key: string,
  location: MissingSetting | object,
  resolved: ResolvedConfiguration,
  withHint: boolean,
): string {
  const canonical = encodeSettingKey(decodeSettingKey(key));
  if (key !== canonical) return `There is no such setting. Did you mean "${canonical}"?`;
  if ('depth' in location && location.parent.kind === 'list' && location.parent.itemKey !== undefined) {
    return `There is no item with this name. Add it to ${encodeSettingKey(decodeSettingKey(key).slice(0, location.depth))} first, in the configuration or in the same request.`;
  }
  if (!withHint) return 'There is no such setting.';
  return `There is no such setting.${
    formatSuggestion(
      key,
      buildSettingViews(resolved).map((view) => view.key),
    ) || suggestKey(key, resolved)
  }`;
}

/**
 * Suggests a similar last part from the same section. It also works for keys that are too long to be compared as a
 * whole.
 */
function suggestKey(key: string, { root }: ResolvedConfiguration): string {
  const parts = decodeSettingKey(key);
  const section = findSettingNode(root, encodeSettingKey(parts.slice(0, -1)));
  return section?.kind === 'section' ? formatSuggestion(parts.at(-1) ?? '', section.children.keys()) : '';
}

/**
 * Removes the placeholders that the catalogue shows instead of secrets, so that its values can be sent back unchanged.
 */
function removePlaceholders(node: SchemaNode, value: Json): Json {
  if (Array.isArray(value))
    return node.kind === 'list' ? value.map((item) => removePlaceholders(node.item, item)) : value;
  if (node.kind !== 'section' || !isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]): [string, Json][] => {
      const child = node.children.get(key);
      if (child !== undefined && isSecret(child) && (item === null || item === '[secret]')) return [];
      return [[key, child === undefined ? item : removePlaceholders(child, item)]];
    }),
  );
}
