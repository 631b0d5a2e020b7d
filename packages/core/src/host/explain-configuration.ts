import type { StoredSettings } from '../ports/settings.js';
import { CoreConfigurationSchema } from './configuration/core-configuration.js';
import { resolveConfiguration } from './configuration/resolve-configuration.js';
import { checkPlugins } from './check-plugins.js';
import type { HostProblem } from '../errors/host-problem.js';
import type { CompositionOptions } from './compose-plugins.js';
import { Secret } from './secret.js';
import { settingViews, type SettingView } from './settings/setting-view.js';

export interface ExplainedConfiguration {
  readonly settings: readonly SettingView[];
  readonly problems: readonly HostProblem[];
  /** Saved settings that have no effect. */
  readonly homeless: readonly string[];
}

/** What a host would go by, and where each value comes from. Needs no key: saved secrets stay as they are. */
export function explainConfiguration(
  { plugins: sources, configuration = {}, problems: loading = [] }: CompositionOptions,
  saved: StoredSettings | undefined,
): ExplainedConfiguration {
  const { plugins, problems: pluginProblems } = checkPlugins(sources);
  const parts = [
    { owner: 'core', schema: CoreConfigurationSchema },
    ...plugins.flatMap(({ id, config }) => (config === undefined ? [] : [{ owner: id, schema: config }])),
  ];
  const options = { incomplete: loading.some(({ code }) => code === 'plugin_not_loaded') };
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
  // What stands for a saved secret need not be what the setting takes; the secret itself was looked at when it was saved.
  const open = new Set(stored.filter(({ secret }) => secret === null).map(({ key }) => key));
  const ofSaved = resolved.problems.filter(({ setting }) => setting !== undefined && open.has(setting));
  const given = resolveConfiguration(parts, configuration, options).problems;
  return {
    settings: settingViews(resolved),
    problems: [...loading, ...pluginProblems, ...given, ...ofSaved],
    homeless: resolved.homeless,
  };
}
