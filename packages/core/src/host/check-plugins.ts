import type { Plugin } from './define-plugin.js';
import type { HostProblem } from '../errors/host-problem.js';
import type { LoadedPlugin } from './loaded-plugin.js';
import { satisfiesPluginApi, PLUGIN_API_VERSION } from './plugin-api.js';
import { isCompatibleCore, findBundledCore, RUNNING_CORE, type PluginCore } from './plugin-core.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each plugin has a configuration of its own type
type AnyPlugin = Plugin<any>;

/** A plugin, optionally with the manifest of its package. */
export type PluginSource = AnyPlugin | LoadedPlugin;

const PLUGIN_ID = /^[a-z][a-z0-9-]{0,62}$/;

/** Returns the usable plugins and the problems of the others. */
export function checkPlugins(sources: readonly PluginSource[]): {
  plugins: readonly AnyPlugin[];
  problems: readonly HostProblem[];
} {
  const problems: HostProblem[] = [];
  const accepted = new Map<string, { plugin: AnyPlugin; origin: string }>();
  for (const source of sources) {
    const { plugin, manifest, origin } =
      'plugin' in source ? source : { plugin: source, manifest: undefined, origin: 'given by the caller' };
    const existing = accepted.get(plugin.id);
    const bundledCore = findBundledCore(plugin);
    const incompatibleCore = bundledCore === undefined || isCompatibleCore(bundledCore) ? undefined : bundledCore;
    if (!PLUGIN_ID.test(plugin.id) || plugin.id === 'core') {
      problems.push({
        code: 'invalid_plugin',
        message: `"${plugin.id}" (${origin}) cannot be the id of a plugin. Use lower-case letters, digits and hyphens.`,
        plugins: [plugin.id],
      });
    } else if (existing !== undefined) {
      problems.push({
        code: 'duplicate_plugin',
        message: `Two plugins have the id "${plugin.id}": ${existing.origin}, and ${origin}.`,
        plugins: [plugin.id],
      });
    } else if (manifest !== undefined && manifest.id !== plugin.id) {
      problems.push({
        code: 'invalid_plugin',
        message: `The manifest of ${origin} has the id "${manifest.id}", but the plugin has the id "${plugin.id}".`,
        plugins: [plugin.id],
      });
    } else if (manifest !== undefined && !satisfiesPluginApi(manifest.api)) {
      problems.push({
        code: 'plugin_api_mismatch',
        message: `Plugin "${plugin.id}" (${origin}) requires the plugin API ${manifest.api}, but this server has ${PLUGIN_API_VERSION}. Install a compatible version of the plugin.`,
        plugins: [plugin.id],
      });
    } else if (incompatibleCore !== undefined) {
      problems.push({
        code: 'plugin_core_mismatch',
        message:
          `Plugin "${plugin.id}" (${origin}) uses its own copy of @countersign/core, ${describeCore(incompatibleCore)}, which is not compatible with the running ${describeCore(RUNNING_CORE)}. ` +
          'List @countersign/core in "peerDependencies" of the plugin instead of "dependencies" and install it again, or install a compatible version of the plugin.',
        plugins: [plugin.id],
      });
    } else {
      accepted.set(plugin.id, { plugin, origin });
    }
  }
  return { plugins: [...accepted.values()].map(({ plugin }) => plugin), problems };
}

/** Returns display text such as `version 0.1.0 (file:///…/@countersign/core/dist/host/plugin-core.js)`. */
function describeCore({ version, from }: PluginCore): string {
  return `version ${version}${from === undefined ? '' : ` (${from})`}`;
}
