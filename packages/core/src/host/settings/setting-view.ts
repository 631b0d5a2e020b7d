import { isJsonObject, type Json } from '@countersign/model';
import { findOrigin, redactSecrets } from '../configuration/configuration-view.js';
import { isEditable } from '../configuration/is-editable.js';
import { getItemName, omitItemKey } from '../configuration/find-setting.js';
import { encodeSettingKey, type ConfigurationSource } from '../configuration/configuration-layers.js';
import type { ResolvedConfiguration } from '../configuration/resolve-configuration.js';
import { hasSecret, isSecret, type SchemaNode } from '../configuration/schema-node.js';
import { toSettingType, type SettingType } from '../configuration/setting-type.js';

/** A setting as shown to admins, without its secret. */
export interface SettingView {
  /**
   * Key of the setting, for example `Runs:StuckAfter`, or `Integrations:EventIngress:Sources:ci:Secret` for a setting
   * of a list item.
   */
  readonly key: string;
  readonly title: string;
  readonly description: string | null;
  readonly type: SettingType;
  /** `null` if there is no value, and for a secret. */
  readonly value: Json;
  readonly isSecret: boolean;
  readonly isSet: boolean;
  /** Source of the value. The command line counts as `env`, because both are set when a process starts. */
  readonly source: Exclude<ConfigurationSource, 'commandLine'>;
  /** Display text for the file, variable, option or saved setting that set the value; `null` for a default. */
  readonly origin: string | null;
  /** Whether an admin may save it. */
  readonly editable: boolean;
  /** Whether a change takes effect only at the next start. */
  readonly restartRequired: boolean;
}

/** Returns all settings, including those of each named list item and of each entry in a map of secrets. */
export function buildSettingViews({ root, raw }: Pick<ResolvedConfiguration, 'root' | 'raw'>): SettingView[] {
  const views: SettingView[] = [];
  collect(root, raw.values, { path: [], parts: [], title: '' });
  return views;

  function collect(node: SchemaNode, value: unknown, location: SettingLocation): void {
    const effectiveValue = value ?? node.defaultValue;
    if (node.kind === 'section') {
      for (const [key, child] of node.children)
        collect(
          child,
          isJsonObject(effectiveValue) ? effectiveValue[key] : undefined,
          childLocation(location, key, key, child.title ?? splitWords(key)),
        );
      return;
    }
    views.push(toView(node, value, location));
    if (node.kind === 'list' && Array.isArray(effectiveValue)) {
      for (const [index, item] of effectiveValue.entries()) {
        const name = getItemName(node, item);
        if (name !== undefined)
          collectItem(omitItemKey(node.item, node.itemKey), item, childLocation(location, String(index), name, name));
      }
    }
    if (node.kind === 'map' && hasSecret(node) && isJsonObject(effectiveValue)) {
      for (const [key, item] of Object.entries(effectiveValue))
        collectItem(node.value, item, childLocation(location, key, key, key));
    }
  }

  function collectItem(node: SchemaNode, value: unknown, location: SettingLocation): void {
    collect(node, value, { ...location, prefix: location.title });
  }

  function toView(node: SchemaNode, value: unknown, { path, parts, title, prefix }: SettingLocation): SettingView {
    const redactedValue = redactSecrets(node, value ?? node.defaultValue);
    const { source = 'default', origin = null } = findOrigin(raw, path) ?? {};
    return {
      key: encodeSettingKey(parts),
      title: prefix === undefined || prefix === title ? title : `${prefix}: ${title}`,
      description: node.description ?? null,
      type: toSettingType(node),
      value: isSecret(node) ? null : redactedValue,
      isSecret: isSecret(node),
      isSet: isSecret(node) ? redactedValue !== null : value !== undefined,
      source: source === 'commandLine' ? 'env' : source,
      origin,
      editable: isEditable(node),
      restartRequired: !node.reloadable,
    };
  }
}

interface SettingLocation {
  /** Path with item indexes. */
  readonly path: readonly string[];
  /** Path with item names. */
  readonly parts: readonly string[];
  readonly title: string;
  /** Title of the item that the setting belongs to. */
  readonly prefix?: string;
}

function childLocation(location: SettingLocation, segment: string, part: string, title: string): SettingLocation {
  return { ...location, path: [...location.path, segment], parts: [...location.parts, part], title };
}

const ACRONYMS = /\b(?:acr|api|gid|http|id|mcp|uid|url)\b/gi;

/** Converts `StuckAfter` to `Stuck after`, and `BaseUrl` to `Base URL`. */
function splitWords(key: string): string {
  return key
    .replace(/(?<=[a-z0-9])([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(ACRONYMS, (acronym) => acronym.toUpperCase());
}
