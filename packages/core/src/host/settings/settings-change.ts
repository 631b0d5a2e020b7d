import { escapePointer, isJsonObject, type Json, type JsonObject, suggestion } from '@countersign/model';
import { valueAt } from '../configuration/apply-saved.js';
import { holdsSecret, isEditable } from '../configuration/editable.js';
import { findSetting, settingNode, type SettingMissing } from '../configuration/find-setting.js';
import { settingKey, settingParts, type SavedSetting } from '../configuration/layers.js';
import type { ResolvedConfiguration } from '../configuration/resolve-configuration.js';
import { isSecret, type SchemaNode } from '../configuration/schema-node.js';
import { Secret, isSecretValue } from '../secret.js';
import type { LiveConfiguration } from './live-configuration.js';
import { settingViews } from './setting-view.js';

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
  readonly secrets: ReadonlyMap<string, { readonly value: string; readonly before: string }>;
  readonly removed: readonly string[];
  readonly resolved: ResolvedConfiguration;
}

/**
 * Plans the effect of a request on the settings.
 *
 * @param stored keys of all saved settings, including those without effect
 */
export function planChange(
  configuration: LiveConfiguration,
  saved: readonly SavedSetting[],
  stored: readonly string[],
  request: SettingsRequest,
): SettingsPlan {
  const before = configuration.resolve(saved);
  const errors: SettingError[] = [];
  const fail = (field: 'values' | 'secrets', key: string, code: SettingError['code'], message: string): void => {
    errors.push({ pointer: `/${field}/${escapePointer(key)}`, code, message });
  };
  const byKey = new Map(saved.map((setting) => [setting.key, setting]));
  const values = new Map<string, Json>();
  const secrets = new Map<string, { value: string; before: string }>();
  const removed = new Set<string>();

  for (const [key, value] of Object.entries(request.values)) {
    const place = findSetting(before.root, before.raw.values, key);
    if (Object.hasOwn(request.secrets, key))
      fail('values', key, 'invalid', 'It is also given under "secrets". Give it only once.');
    else if (key.length > MAX_KEY_LENGTH) fail('values', key, 'unknown_setting', TOO_LONG);
    else if (value === null && (stored.includes(key) || 'node' in place)) takeBack(key);
    else if (!('node' in place) || place.node.kind === 'section')
      fail('values', key, 'unknown_setting', unknown(key, place, before, errors.length < MAX_HINTS));
    else if (!isEditable(place.node)) fail('values', key, 'not_editable', NOT_EDITABLE);
    else if (isSecret(place.node)) fail('values', key, 'invalid', 'This is a secret. Give it under "secrets".');
    else put(key, value, place.node);
  }
  const withValues = configuration.resolve([...byKey.values()]);
  for (const [key, value] of Object.entries(request.secrets)) {
    const place = findSetting(withValues.root, withValues.raw.values, key);
    if (key.length > MAX_KEY_LENGTH) fail('secrets', key, 'unknown_setting', TOO_LONG);
    else if (!('node' in place) || place.node.kind === 'section')
      fail('secrets', key, 'unknown_setting', unknown(key, place, withValues, errors.length < MAX_HINTS));
    else if (!isEditable(place.node)) fail('secrets', key, 'not_editable', NOT_EDITABLE);
    else if (!isSecret(place.node)) fail('secrets', key, 'invalid', 'This is not a secret. Give it under "values".');
    else rotate(key, value, withValues, place.path);
  }
  dropRemovedItems();
  const resolved = configuration.resolve([...byKey.values()]);
  if (errors.length === 0)
    for (const { message, setting } of resolved.problems) fail(...fieldOf(setting), 'invalid', message);
  return { errors, saved: [...byKey.values()], values, secrets, removed: [...removed], resolved };

  function takeBack(key: string): void {
    byKey.delete(key);
    if (stored.includes(key)) removed.add(key);
  }

  function put(key: string, value: Json, node: SchemaNode): void {
    const clean = withoutPlaceholders(node, value);
    if (holdsSecret(node, clean))
      fail(
        'values',
        key,
        'invalid',
        'It contains a secret. Omit the secret here, and give it under "secrets" with its own key.',
      );
    else if (JSON.stringify(byKey.get(key)?.value) !== JSON.stringify(clean)) {
      values.set(key, clean);
      byKey.set(key, { key, value: clean });
    }
  }

  function rotate(key: string, value: string, { raw }: ResolvedConfiguration, path: readonly string[]): void {
    const present = valueAt(raw.values, path);
    const now = isSecretValue(present) ? present.reveal() : typeof present === 'string' ? present : '';
    if (now === value && byKey.has(key)) return;
    secrets.set(key, { value, before: now });
    byKey.set(key, { key, value: new Secret(value) });
  }

  /**
   * Removes the saved settings of removed items, so that a later item with the same name does not inherit their
   * secrets.
   */
  function dropRemovedItems(): void {
    const touched = [...values.keys(), ...removed];
    const inTouched = (key: string): boolean => touched.some((list) => key.startsWith(`${list}:`));
    for (const key of configuration.resolve([...byKey.values()]).homeless) if (inTouched(key)) takeBack(key);
  }

  function fieldOf(setting: string | undefined): ['values' | 'secrets', string] {
    return setting !== undefined && secrets.has(setting) ? ['secrets', setting] : ['values', setting ?? ''];
  }
}

/** Maximum key length in characters, because of a database index. */
const MAX_KEY_LENGTH = 1_000;

const TOO_LONG = `The key of a setting has at most ${MAX_KEY_LENGTH} characters.`;

/**
 * Maximum number of hints. Finding the nearest name takes milliseconds, and a request may contain thousands of invalid
 * keys.
 */
const MAX_HINTS = 10;

const NOT_EDITABLE =
  'It cannot be changed here. Set it in the configuration file, the environment or the command line of the server.';

function unknown(key: string, place: SettingMissing | object, resolved: ResolvedConfiguration, hint: boolean): string {
  const canonical = settingKey(settingParts(key));
  if (key !== canonical) return `There is no such setting. Did you mean "${canonical}"?`;
  if ('depth' in place && place.within.kind === 'list' && place.within.itemKey !== undefined) {
    return `There is no item with this name. Add it to ${settingKey(settingParts(key).slice(0, place.depth))} first, in the configuration or in the same request.`;
  }
  if (!hint) return 'There is no such setting.';
  return `There is no such setting.${
    suggestion(
      key,
      settingViews(resolved).map((view) => view.key),
    ) || nearest(key, resolved)
  }`;
}

/** Suggests a key for long keys: the nearest last part within the existing section. */
function nearest(key: string, { root }: ResolvedConfiguration): string {
  const parts = settingParts(key);
  const section = settingNode(root, settingKey(parts.slice(0, -1)));
  return section?.kind === 'section' ? suggestion(parts.at(-1) ?? '', section.children.keys()) : '';
}

/**
 * Removes the placeholders that the catalogue shows instead of secrets, so that its values can be sent back unchanged.
 */
function withoutPlaceholders(node: SchemaNode, value: Json): Json {
  if (Array.isArray(value))
    return node.kind === 'list' ? value.map((item) => withoutPlaceholders(node.item, item)) : value;
  if (node.kind !== 'section' || !isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]): [string, Json][] => {
      const child = node.children.get(key);
      if (child !== undefined && isSecret(child) && (item === null || item === '[secret]')) return [];
      return [[key, child === undefined ? item : withoutPlaceholders(child, item)]];
    }),
  );
}
