import { secretPaths, type Plugin, type SecretPathPart } from '@countersign/core';
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

/** The name of items and of free keys. */
export const NAME = 'canary';

/** A secret with a value that stands nowhere else. */
export interface Canary {
  readonly path: readonly SecretPathPart[];
  /** As the settings call it; `undefined` where it can't be addressed alone. */
  readonly settingKey: string | undefined;
  /** What is looked for. */
  readonly value: string;
  /** What the setting is given: the value, in the form that it takes. */
  readonly given: string;
}

/** Settings that take no text but of a certain form. */
const FORMS: Readonly<Record<string, (value: string) => string>> = {
  'Connectors:Notify:Endpoints:*:Url': (value) => `https://127.0.0.1:9/${value}`,
  'Connectors:Notify:Endpoints:*:Secret': (value) => `whsec_${value}=`,
};

/** What stands beside the secrets: what items need, and who is not to be asked by a test. Nobody listens there. */
const BESIDE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Models:Anthropic': { BaseUrl: 'http://127.0.0.1:9' },
  'Models:OpenAI': { BaseUrl: 'http://127.0.0.1:9/v1' },
  'Models:OpenAICompatible:*': { BaseUrl: 'http://127.0.0.1:9/v1' },
  'Agents:Mcp:Servers:*': { Url: 'http://127.0.0.1:9/' },
};

/** Every plugin of the repository, found by its manifest, so that none is forgotten. */
export async function allPlugins(): Promise<Plugin[]> {
  const directory = new URL('../../../packages/plugins/', import.meta.url);
  const plugins: Plugin[] = [];
  for (const name of (await readdir(directory)).sort()) {
    const manifest = JSON.parse(
      await readFile(new URL(`${name}/package.json`, directory), 'utf8').catch(() => '{}'),
    ) as { countersign?: { id: string }; exports?: Record<string, { default: string }> };
    const entry = manifest.exports?.['.']?.default;
    if (manifest.countersign === undefined || entry === undefined) continue;
    const module = (await import(new URL(`${name}/${entry}`, directory).href)) as Record<string, unknown>;
    const plugin = Object.values(module).find(
      (value): value is Plugin =>
        typeof value === 'object' &&
        value !== null &&
        'register' in value &&
        'id' in value &&
        value.id === manifest.countersign?.id,
    );
    if (plugin === undefined) throw new Error(`${name} exports no plugin of the id ${manifest.countersign.id}.`);
    plugins.push(plugin);
  }
  return plugins;
}

/** One for each secret that the schemas know. Each is a key of 32 bytes, so that what wants a key takes it, too. */
export function canariesFor(plugins: readonly Plugin[]): Canary[] {
  return secretPaths(plugins).map((path) => {
    const value = randomKey();
    return { path, settingKey: settingKeyOf(path), value, given: FORMS[patternOf(path)]?.(value) ?? value };
  });
}

/** 32 bytes in Base64, of letters and digits alone, so that it looks the same wherever it stands. */
function randomKey(): string {
  for (;;) {
    const key = randomBytes(32).toString('base64url');
    if (!/[-_]/.test(key)) return key;
  }
}

function patternOf(path: readonly SecretPathPart[]): string {
  return path.map((part) => (typeof part === 'string' ? part : '*')).join(':');
}

function settingKeyOf(path: readonly SecretPathPart[]): string | undefined {
  if (path.some((part) => typeof part !== 'string' && 'anyItem' in part && part.itemKey === null)) return undefined;
  return path.map((part) => (typeof part === 'string' ? part : NAME)).join(':');
}

/** As it stands in a file. */
export function asFile(canaries: readonly Canary[]): object {
  const root: Record<string, unknown> = {};
  for (const { path, given } of canaries) put(root, path, given);
  return root;
}

/** @param above what the target is, as a pattern */
function put(target: Record<string, unknown>, path: readonly SecretPathPart[], value: string, above = ''): void {
  const [first, second, ...rest] = path;
  const key = typeof first === 'string' ? first : NAME;
  if (second === undefined) {
    target[key] = value;
  } else if (typeof second !== 'string' && 'anyItem' in second) {
    if (rest.length === 0) target[key] = [value];
    else {
      const pattern = `${above}${key}:*`;
      const item = ((target[key] as Record<string, unknown>[] | undefined) ?? [{ ...BESIDE[pattern] }])[0] ?? {};
      if (second.itemKey !== null) item[second.itemKey] = NAME;
      target[key] = [item];
      put(item, rest, value, `${pattern}:`);
    }
  } else {
    const section = (target[key] ??= { ...BESIDE[`${above}${key}`] }) as Record<string, unknown>;
    put(section, [second, ...rest], value, `${above}${key}:`);
  }
}

/** As it stands in the environment. */
export function asEnvironment(canaries: readonly Canary[]): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const { path, given } of canaries) {
    const segments: string[] = [];
    for (const [index, part] of path.entries()) {
      if (typeof part === 'string') segments.push(part);
      else if ('anyKey' in part) segments.push(NAME);
      else {
        segments.push('0');
        if (part.itemKey !== null) variables[[...segments, part.itemKey].join('__')] = NAME;
      }
      for (const [key, text] of Object.entries(BESIDE[patternOf(path.slice(0, index + 1))] ?? {}))
        variables[[...segments, key].join('__')] = text;
    }
    variables[segments.join('__')] = given;
  }
  return variables;
}

/** Ways in which a secret could be there and not be seen at a glance. */
export function disguises(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8');
  return [
    value,
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    encodeURIComponent(value),
  ];
}

/** The keys of the secrets that a text holds. */
export function sightings(canaries: readonly Canary[], text: string | Buffer): string[] {
  return canaries
    .filter(({ value }) => disguises(value).some((disguise) => text.includes(disguise)))
    .map(({ path }) => patternOf(path));
}
