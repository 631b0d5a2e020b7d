import { readFile, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isJsonObject, type Json, type JsonObject } from '@countersign/model';
import type { Plugin } from './define-plugin.js';
import type { HostProblem } from '../errors/host-problem.js';
import type { LoadedPlugin, PluginManifest } from './loaded-plugin.js';
import { PLUGIN_API_VERSION } from './plugin-api.js';

export interface LoadedPlugins {
  readonly plugins: readonly LoadedPlugin[];
  readonly problems: readonly HostProblem[];
}

/**
 * Imports plugins by package name or path, both resolved from `directory`. Reports each plugin that cannot be loaded as
 * a problem.
 */
export async function loadPlugins(names: readonly string[], directory: string): Promise<LoadedPlugins> {
  const plugins: LoadedPlugin[] = [];
  const problems: HostProblem[] = [];
  for (const name of names) {
    try {
      plugins.push(await loadPlugin(name, directory));
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      problems.push({
        code: 'plugin_not_loaded',
        message: `The plugin "${name}" cannot be loaded: ${reason}`,
        plugins: [name],
        cause,
      });
    }
  }
  return { plugins, problems };
}

async function loadPlugin(name: string, directory: string): Promise<LoadedPlugin> {
  const location = await locatePlugin(name, directory);
  const manifest = parseManifest(location.packageJson);
  const module = (await import(pathToFileURL(location.entry).href)) as Record<string, unknown>;
  const plugin = [module['default'], module['plugin'], ...Object.values(module)].find(isPlugin);
  if (plugin === undefined) throw new Error(`${location.entry} exports no plugin. Export the result of definePlugin.`);
  return { plugin, manifest, origin: name };
}

interface PluginLocation {
  readonly entry: string;
  readonly packageJson: JsonObject;
}

async function locatePlugin(name: string, directory: string): Promise<PluginLocation> {
  const isPath = name.startsWith('.') || isAbsolute(name);
  if (!isPath) return findEntry(await packageDirectory(name, directory));
  const path = resolve(directory, name);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new Error(`${path} does not exist.`);
  if (found.isDirectory()) return findEntry(path);
  return { entry: path, packageJson: await nearestPackageJson(dirname(path)) };
}

/**
 * Finds the directory of a package as Node.js does: in `node_modules` of the directory, then of each parent directory.
 */
async function packageDirectory(name: string, directory: string): Promise<string> {
  if (!/^(@[a-z0-9._-]+\/)?[a-z0-9._-]+$/i.test(name))
    throw new Error('it is neither a package name nor a path (a path starts with ./ or /).');
  for (let currentDirectory = resolve(directory); ; currentDirectory = dirname(currentDirectory)) {
    const candidate = join(currentDirectory, 'node_modules', name);
    if (await stat(join(candidate, 'package.json')).catch(() => undefined)) return candidate;
    if (dirname(currentDirectory) === currentDirectory)
      throw new Error(`the package is not installed in ${resolve(directory)} or a parent directory.`);
  }
}

async function findEntry(directory: string): Promise<PluginLocation> {
  const packageJson = await readPackageJson(directory);
  if (packageJson === undefined) throw new Error(`${directory} has no package.json.`);
  const { exports: exported, main } = packageJson;
  const root = isJsonObject(exported) && '.' in exported ? exported['.'] : exported;
  const entry = conditionalExport(root) ?? (typeof main === 'string' ? main : 'index.js');
  return { entry: resolve(directory, entry), packageJson };
}

function conditionalExport(target: Json | undefined): string | undefined {
  if (typeof target === 'string') return target;
  if (!isJsonObject(target)) return undefined;
  for (const condition of ['node', 'import', 'default']) {
    const found = conditionalExport(target[condition]);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function nearestPackageJson(directory: string): Promise<JsonObject> {
  for (let currentDirectory = directory; ; currentDirectory = dirname(currentDirectory)) {
    const found = await readPackageJson(currentDirectory);
    if (found !== undefined) return found;
    if (dirname(currentDirectory) === currentDirectory)
      throw new Error(`there is no package.json in its directory or a parent directory.`);
  }
}

async function readPackageJson(directory: string): Promise<JsonObject | undefined> {
  const text = await readFile(join(directory, 'package.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const value = JSON.parse(text) as Json;
  if (!isJsonObject(value)) throw new Error(`${join(directory, 'package.json')} is not a JSON object.`);
  return value;
}

function parseManifest({ countersign }: JsonObject): PluginManifest {
  if (!isJsonObject(countersign) || typeof countersign['id'] !== 'string' || typeof countersign['api'] !== 'string') {
    throw new Error(
      `its package.json has no manifest. Add "countersign": { "id": "…", "api": "^${PLUGIN_API_VERSION}" }.`,
    );
  }
  return { id: countersign['id'], api: countersign['api'] };
}

function isPlugin(value: unknown): value is Plugin {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    typeof value.id === 'string' &&
    'register' in value &&
    typeof value.register === 'function'
  );
}
