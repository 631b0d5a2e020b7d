import type { StoredSettings } from '../ports/settings.js';
import { CoreConfigurationSchema } from './configuration/core-configuration.js';
import { resolveConfiguration } from './configuration/resolve-configuration.js';
import { checkPlugins } from './check-plugins.js';
import type { HostProblem } from '../errors/host-problem.js';
import type { CompositionOptions } from './compose-plugins.js';
import { Secret } from './secret.js';
import { buildSettingViews, type SettingView } from './settings/setting-view.js';

export interface ExplainedConfiguration {
  readonly settings: readonly SettingView[];
  readonly problems: readonly HostProblem[];
  /** Keys of saved settings without effect. */
  readonly unknownSavedKeys: readonly string[];
}

/**
 * Returns the effective settings of a host and the origin of each value. No encryption key is needed, because saved
 * secrets stay encrypted.
 */
export function explainConfiguration(
  { plugins: sources, configuration = {}, problems: loadProblems = [] }: CompositionOptions,
  saved: StoredSettings | undefined,
): ExplainedConfiguration {
  const { plugins, problems: pluginProblems } = checkPlugins(sources);
  const parts = [
    { owner: 'core', schema: CoreConfigurationSchema },
    ...plugins.flatMap(({ id, config }) => (config === undefined ? [] : [{ owner: id, schema: config }])),
  ];
  const options = { incomplete: loadProblems.some(({ code }) => code === 'plugin_not_loaded') };
  const stored = saved?.settings ?? [];
  const resolved = resolveConfiguration(
    parts,
    {
      ...configuration,
      saved: stored.map(({ key, value, secret }) => ({
        key,
        value: secret === null ? value : new Secret('encrypted'),
      })),
    },
    options,
  );
  // The placeholder of a saved secret may violate the schema. The secret itself was validated when it was saved.
  const plainKeys = new Set(stored.filter(({ secret }) => secret === null).map(({ key }) => key));
  const savedSettingProblems = resolved.problems.filter(
    ({ setting }) => setting !== undefined && plainKeys.has(setting),
  );
  const layerProblems = resolveConfiguration(parts, configuration, options).problems;
  return {
    settings: buildSettingViews(resolved),
    problems: [...loadProblems, ...pluginProblems, ...layerProblems, ...savedSettingProblems],
    unknownSavedKeys: resolved.unknownSavedKeys,
  };
}
