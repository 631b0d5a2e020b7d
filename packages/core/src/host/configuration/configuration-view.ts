import { isJsonObject, type Json } from '@countersign/model';
import { isSecretValue } from '../secret.js';
import type { RawConfiguration, ValueOrigin } from './assemble-configuration.js';
import { joinPath, type ConfigurationSource } from './configuration-layers.js';
import { isSecret, type SchemaNode, type SectionNode } from './schema-node.js';
import { toSettingType, type SettingType } from './setting-type.js';

/** A configuration key with its displayable value. */
export interface ConfigurationEntry {
  /** Key of the setting, for example `Server:Port`. */
  readonly key: string;
  readonly description: string | null;
  readonly type: SettingType;
  /** Value as written, or the default; `null` if there is none, and for a secret. */
  readonly value: Json;
  readonly isSecret: boolean;
  readonly isSet: boolean;
  readonly source: ConfigurationSource;
}

/** The configuration without its secrets. */
export interface ConfigurationView {
  readonly entries: readonly ConfigurationEntry[];
  /** Warnings about likely but uncertain mistakes. */
  readonly warnings: readonly string[];
  find(key: string): ConfigurationEntry | undefined;
}

export function buildConfigurationView(
  root: SectionNode,
  raw: RawConfiguration,
  warnings: readonly string[],
): ConfigurationView {
  const entries: ConfigurationEntry[] = [];
  collectEntries(root, raw.values, []);
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  return Object.freeze({ entries: Object.freeze(entries), warnings, find: (key: string) => byKey.get(key) });

  function collectEntries(node: SchemaNode, value: unknown, path: readonly string[]): void {
    if (node.kind === 'section') {
      const effectiveValue = value ?? node.defaultValue;
      for (const [key, child] of node.children)
        collectEntries(child, isJsonObject(effectiveValue) ? effectiveValue[key] : undefined, [...path, key]);
      return;
    }
    const redactedValue = redactSecrets(node, value ?? node.defaultValue);
    entries.push(
      Object.freeze({
        key: joinPath(path),
        description: node.description ?? null,
        type: toSettingType(node),
        value: isSecret(node) ? null : redactedValue,
        isSecret: isSecret(node),
        isSet: isSecret(node) ? redactedValue !== null : value !== undefined,
        source: findSource(raw, path),
      }),
    );
  }
}

/** Returns the value with `[secret]` in place of each secret and `null` in place of each empty one. */
export function redactSecrets(node: SchemaNode | undefined, value: unknown): Json {
  if (value === undefined || value === null) return null;
  if (node?.kind === 'value' && node.mark === 'secret')
    return value === '' || (isSecretValue(value) && !value.isSet) ? null : '[secret]';
  if (Array.isArray(value))
    return value.map((item) => redactSecrets(node?.kind === 'list' ? node.item : undefined, item));
  if (typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        redactSecrets(
          node?.kind === 'section' ? node.children.get(key) : node?.kind === 'map' ? node.value : undefined,
          item,
        ),
      ]),
    );
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : String(value);
}

/**
 * Returns the source of a value: the source of its own assignment, otherwise that of an enclosing value or of a part of
 * the value.
 */
export function findSource(raw: RawConfiguration, path: readonly string[]): ConfigurationSource {
  return findOrigin(raw, path)?.source ?? 'default';
}

export function findOrigin(raw: RawConfiguration, path: readonly string[]): ValueOrigin | undefined {
  for (let length = path.length; length > 0; length -= 1) {
    const found = raw.origins.get(joinPath(path.slice(0, length)));
    if (found !== undefined) return found;
  }
  const prefix = `${joinPath(path)}:`;
  return [...raw.origins].findLast(([key]) => key.startsWith(prefix))?.[1];
}
