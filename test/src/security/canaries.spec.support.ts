import { findSecretPaths, type Plugin, type SecretPathPart } from '@countersign/core';
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { loadTemporalEngine } from '../temporal/load-temporal-engine.js';

/** Name of list items and of keys that the schema does not define. */
export const ITEM_NAME = 'canary';

/** A secret with a value that occurs nowhere else. */
export interface Canary {
  readonly path: readonly SecretPathPart[];
  /** Key in the settings; `undefined` if the secret has no key of its own. */
  readonly settingKey: string | undefined;
  /** Value to search for. */
  readonly value: string;
  /** Value of the setting: the secret in the required format. */
  readonly settingValue: string;
}

/** Settings that require a certain format. */
const VALUE_FORMATS: Readonly<Record<string, (value: string) => string>> = {
  'Connectors:Notify:Endpoints:*:Url': (value) => `https://127.0.0.1:9/${value}`,
  'Connectors:Notify:Endpoints:*:Secret': (value) => `whsec_${value}=`,
};

/** Settings next to the secrets: required parts of items, and addresses without a listener instead of real ones. */
const COMPANION_SETTINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Models:Anthropic': { BaseUrl: 'http://127.0.0.1:9' },
  'Models:OpenAI': { BaseUrl: 'http://127.0.0.1:9/v1' },
  'Models:OpenAICompatible:*': { BaseUrl: 'http://127.0.0.1:9/v1' },
  // Only this engine has secrets.
  'Engine': { Adapter: 'temporal' },
  'Engine:Temporal': { Address: '127.0.0.1:9' },
  'Agents:Mcp:Servers:*': { Url: 'http://127.0.0.1:9/' },
};

/**
 * Returns every plugin of the repository, found by its manifest, so that no plugin is forgotten. The Temporal engine is
 * missing if its dependencies are not installed.
 */
export async function loadAllPlugins(): Promise<Plugin[]> {
  const directory = new URL('../../../packages/plugins/', import.meta.url);
  const plugins: Plugin[] = [];
  for (const name of (await readdir(directory)).sort()) {
    const manifest = JSON.parse(
      await readFile(new URL(`${name}/package.json`, directory), 'utf8').catch(() => '{}'),
    ) as { countersign?: { id: string }; exports?: Record<string, { default: string }> };
    const entry = manifest.exports?.['.']?.default;
    if (manifest.countersign === undefined || entry === undefined) continue;
    if (manifest.countersign.id === 'engine-temporal' && (await loadTemporalEngine()) === undefined) continue;
    const module = (await import(new URL(`${name}/${entry}`, directory).href)) as Record<string, unknown>;
    const plugin = Object.values(module).find(
      (value): value is Plugin =>
        typeof value === 'object' &&
        value !== null &&
        'register' in value &&
        'id' in value &&
        value.id === manifest.countersign?.id,
    );
    if (plugin === undefined) throw new Error(`${name} exports no plugin with the id ${manifest.countersign.id}.`);
    plugins.push(plugin);
  }
  return plugins;
}

/** Returns a canary for each secret in the schemas. Each is a key of 32 bytes, so that settings for keys accept it. */
export function createCanaries(plugins: readonly Plugin[]): Canary[] {
  return findSecretPaths(plugins).map((path) => {
    const value = generateKey();
    return {
      path,
      settingKey: buildSettingKey(path),
      value,
      settingValue: VALUE_FORMATS[buildSettingPattern(path)]?.(value) ?? value,
    };
  });
}

/** Returns 32 bytes in Base64, only letters and digits, so that no escaping changes the text. */
function generateKey(): string {
  for (;;) {
    const key = randomBytes(32).toString('base64url');
    if (!/[-_]/.test(key)) return key;
  }
}

function buildSettingPattern(path: readonly SecretPathPart[]): string {
  return path.map((part) => (typeof part === 'string' ? part : '*')).join(':');
}

function buildSettingKey(path: readonly SecretPathPart[]): string | undefined {
  if (path.some((part) => typeof part !== 'string' && 'anyItem' in part && part.itemKey === null)) return undefined;
  return path.map((part) => (typeof part === 'string' ? part : ITEM_NAME)).join(':');
}

/** Returns the configuration file with the secrets. */
export function toConfigurationFile(canaries: readonly Canary[]): object {
  const root: Record<string, unknown> = {};
  for (const { path, settingValue } of canaries) putSetting(root, path, settingValue);
  return root;
}

/** @param parentPath pattern of the target's path */
function putSetting(
  target: Record<string, unknown>,
  path: readonly SecretPathPart[],
  value: string,
  parentPath = '',
): void {
  const [first, second, ...rest] = path;
  const key = typeof first === 'string' ? first : ITEM_NAME;
  if (second === undefined) {
    target[key] = value;
  } else if (typeof second !== 'string' && 'anyItem' in second) {
    if (rest.length === 0) target[key] = [value];
    else {
      const pattern = `${parentPath}${key}:*`;
      const item =
        ((target[key] as Record<string, unknown>[] | undefined) ?? [{ ...COMPANION_SETTINGS[pattern] }])[0] ?? {};
      if (second.itemKey !== null) item[second.itemKey] = ITEM_NAME;
      target[key] = [item];
      putSetting(item, rest, value, `${pattern}:`);
    }
  } else {
    const section = (target[key] ??= { ...COMPANION_SETTINGS[`${parentPath}${key}`] }) as Record<string, unknown>;
    putSetting(section, [second, ...rest], value, `${parentPath}${key}:`);
  }
}

/** Returns the environment variables with the secrets. */
export function toEnvironment(canaries: readonly Canary[]): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const { path, settingValue } of canaries) {
    const segments: string[] = [];
    for (const [index, part] of path.entries()) {
      if (typeof part === 'string') segments.push(part);
      else if ('anyKey' in part) segments.push(ITEM_NAME);
      else {
        segments.push('0');
        if (part.itemKey !== null) variables[[...segments, part.itemKey].join('__')] = ITEM_NAME;
      }
      for (const [key, companionValue] of Object.entries(
        COMPANION_SETTINGS[buildSettingPattern(path.slice(0, index + 1))] ?? {},
      ))
        variables[[...segments, key].join('__')] = companionValue;
    }
    variables[segments.join('__')] = settingValue;
  }
  return variables;
}

/** Returns the encodings in which a secret could occur unnoticed. */
export function listEncodings(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8');
  return [
    value,
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    encodeURIComponent(value),
  ];
}

/** Returns the setting patterns of the secrets that a text contains. */
export function findLeaks(canaries: readonly Canary[], text: string | Buffer): string[] {
  return canaries
    .filter(({ value }) => listEncodings(value).some((encoding) => text.includes(encoding)))
    .map(({ path }) => buildSettingPattern(path));
}
