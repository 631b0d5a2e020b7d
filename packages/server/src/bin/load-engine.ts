import { loadPlugins, type LoadedPlugins, type PluginSource } from '@countersign/core';
import { engineEmbeddedPlugin } from '@countersign/engine-embedded';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const TEMPORAL_PACKAGE = '@countersign/engine-temporal';
const INSTALLATION_HINT = `Engine:Adapter is "temporal", and this engine is a package of its own, because it is large. Install it next to the server: npm install ${TEMPORAL_PACKAGE}. In a clone of the repository: npm run install:temporal.`;

/** Values of `Engine:Adapter` whose engine needs no entry in `Plugins`. */
export const ENGINE_NAMES: readonly string[] = ['embedded', 'temporal'];

export interface LoadedEngine extends Pick<LoadedPlugins, 'problems'> {
  readonly plugins: readonly PluginSource[];
}

/**
 * Loads the plugin of an engine. Returns no plugin if another plugin must provide the engine.
 *
 * @param name the value of `Engine:Adapter`
 */
export async function loadEngine(name: unknown): Promise<LoadedEngine> {
  if (name === 'embedded') return { plugins: [engineEmbeddedPlugin], problems: [] };
  if (name !== 'temporal') return { plugins: [], problems: [] };
  const { plugins, problems } = await loadPlugins([TEMPORAL_PACKAGE], dirname(fileURLToPath(import.meta.url)));
  return {
    plugins,
    problems: problems.map((problem) => ({
      ...problem,
      message: `${problem.message.replace(/\.?$/, '.')} ${INSTALLATION_HINT}`,
    })),
  };
}
