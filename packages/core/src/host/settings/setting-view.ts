import { isJsonObject, type Json } from '@countersign/model';
import { originOf, redacted } from '../configuration/configuration-view.js';
import { isEditable } from '../configuration/editable.js';
import { itemName, withoutName } from '../configuration/find-setting.js';
import { settingKey, type ConfigurationSource } from '../configuration/layers.js';
import type { ResolvedConfiguration } from '../configuration/resolve-configuration.js';
import { hasSecret, isSecret, type SchemaNode } from '../configuration/schema-node.js';
import { settingType, type SettingType } from '../configuration/setting-type.js';

/** A setting as shown to admins, without its secret. */
export interface SettingView {
  /** For example `Runs:StuckAfter`, or `Integrations:EventIngress:Sources:ci:Secret` for a setting of a list item. */
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
export function settingViews({ root, raw }: Pick<ResolvedConfiguration, 'root' | 'raw'>): SettingView[] {
  const views: SettingView[] = [];
  collect(root, raw.values, { path: [], parts: [], title: '' });
  return views;

  function collect(node: SchemaNode, value: unknown, at: Place): void {
    const inherited = value ?? node.defaultValue;
    if (node.kind === 'section') {
      for (const [key, child] of node.children)
        collect(child, isJsonObject(inherited) ? inherited[key] : undefined, inside(at, key, key, words(key)));
      return;
    }
    views.push(viewOf(node, value, at));
    if (node.kind === 'list' && Array.isArray(inherited)) {
      for (const [index, item] of inherited.entries()) {
        const name = itemName(node, item);
        if (name !== undefined)
          collectItem(withoutName(node.item, node.itemKey), item, inside(at, String(index), name, name));
      }
    }
    if (node.kind === 'map' && hasSecret(node) && isJsonObject(inherited)) {
      for (const [key, item] of Object.entries(inherited)) collectItem(node.value, item, inside(at, key, key, key));
    }
  }

  function collectItem(node: SchemaNode, value: unknown, at: Place): void {
    collect(node, value, { ...at, prefix: at.title });
  }

  function viewOf(node: SchemaNode, value: unknown, { path, parts, title, prefix }: Place): SettingView {
    const shown = redacted(node, value ?? node.defaultValue);
    const { source = 'default', origin = null } = originOf(raw, path) ?? {};
    return {
      key: settingKey(parts),
      title: prefix === undefined || prefix === title ? title : `${prefix}: ${title}`,
      description: node.description ?? null,
      type: settingType(node),
      value: isSecret(node) ? null : shown,
      isSecret: isSecret(node),
      isSet: isSecret(node) ? shown !== null : value !== undefined,
      source: source === 'commandLine' ? 'env' : source,
      origin,
      editable: isEditable(node),
      restartRequired: !node.live,
    };
  }
}

interface Place {
  /** Path with item indexes. */
  readonly path: readonly string[];
  /** Path with item names. */
  readonly parts: readonly string[];
  readonly title: string;
  /** Title of the item that the setting belongs to. */
  readonly prefix?: string;
}

function inside(at: Place, segment: string, part: string, title: string): Place {
  return { ...at, path: [...at.path, segment], parts: [...at.parts, part], title };
}

/** Converts `StuckAfter` to `Stuck after`. */
function words(key: string): string {
  return key.replace(/(?<=[a-z0-9])([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
}
