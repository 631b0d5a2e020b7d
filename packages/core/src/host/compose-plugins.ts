import type { ServiceIdentifier } from 'inversify';
import { ClockPort } from '../ports/clock.js';
import { LifecycleContribution } from '../contributions/lifecycle.js';
import { KnownSecrets } from '../ports/known-secrets.js';
import { LoggerPort } from '../ports/logger.js';
import { checkPlugins, type PluginSource } from './check-plugins.js';
import {
  CoreConfiguration,
  CoreConfigurationSchema,
  LiveCoreConfiguration,
} from './configuration/core-configuration.js';
import type { ConfigurationLayers } from './configuration/configuration-layers.js';
import { resolveConfiguration, type ResolvedConfiguration } from './configuration/resolve-configuration.js';
import { SecretLocations, findSecretLocations } from './configuration/secret-locations.js';
import type { HostProblem } from '../errors/host-problem.js';
import { HostStartError } from '../errors/host-start-error.js';
import { LiveValue } from './live.js';
import type { Plugin } from './define-plugin.js';
import { canBeConstructed, findMissingDependencies } from './find-missing-dependencies.js';
import { findBundledCore } from './plugin-core.js';
import { Registrations } from './registrations.js';
import { ConfiguredSecrets } from './settings/configured-secrets.js';
import { LiveConfiguration } from './settings/live-configuration.js';
import { StartMode } from './start-mode.js';
import { determineStartOrder } from './determine-start-order.js';

export interface CompositionOptions {
  /** Plugins in registration order, which is also the start order unless `dependsOn` requires otherwise. */
  readonly plugins: readonly PluginSource[];
  readonly configuration?: ConfigurationLayers;
  /** Ports that a plugin must bind, in addition to those that plugins require. */
  readonly required?: readonly ServiceIdentifier[];
  /** Hints for required ports that no plugin provides, for example the setting that selects one. */
  readonly missingPortHints?: ReadonlyMap<ServiceIdentifier, string>;
  /** Problems from loading plugins; reported with all other problems. */
  readonly problems?: readonly HostProblem[];
}

export interface Composition {
  readonly registrations: Registrations;
  readonly resolved: ResolvedConfiguration;
  /** Start mode for the parts of the host. Set by {@link Host.start}. */
  readonly startMode: StartMode;
}

/**
 * Registers the plugins and checks their configuration and dependencies.
 *
 * @param builtInPlugins plugins of the core, without their own configuration; registered first
 * @throws {HostStartError} if the host cannot be assembled; it lists all problems
 */
export function composePlugins(
  options: CompositionOptions,
  builtInPlugins: readonly Plugin[],
  logger: LoggerPort,
  clock: ClockPort,
): Composition {
  const { required = [], missingPortHints } = options;
  const loadProblems = options.problems ?? [];
  const { plugins, problems: pluginProblems } = checkPlugins(options.plugins);
  const layers = options.configuration ?? {};
  const parts = [
    { owner: 'core', schema: CoreConfigurationSchema },
    ...plugins.flatMap(({ id, config }) => (config === undefined ? [] : [{ owner: id, schema: config }])),
  ];
  const resolved = resolveConfiguration(parts, layers, {
    incomplete: loadProblems.some(({ code }) => code === 'plugin_not_loaded'),
  });
  const configuration = new LiveConfiguration(parts, layers, resolved);
  const problems: HostProblem[] = [...loadProblems, ...pluginProblems, ...resolved.problems];
  const registrations = new Registrations(problems);
  const startMode: StartMode = { mayRebuild: false };
  registrations.provide(LoggerPort, logger);
  registrations.provide(ClockPort, clock);
  registrations.provide(CoreConfiguration, resolved.parsed.get('core'));
  registrations.provide(LiveCoreConfiguration, configuration.getLiveValue('core'));
  const secrets = new ConfiguredSecrets(configuration, clock);
  registrations.provide(SecretLocations, findSecretLocations(layers, resolved, secrets));
  registrations.provide(KnownSecrets, secrets);
  registrations.provide(LiveConfiguration, configuration);
  registrations.provide(StartMode, startMode);
  for (const plugin of builtInPlugins)
    plugin.register(registrations.createRegistry(plugin.id, new LiveValue(undefined)));
  let isComplete = loadProblems.length === 0 && pluginProblems.length === 0;
  for (const plugin of plugins) {
    const bundledCore = findBundledCore(plugin);
    if (bundledCore !== undefined)
      logger.warn(
        { plugin: plugin.id, ...bundledCore },
        'a plugin uses its own copy of @countersign/core: list @countersign/core in "peerDependencies" of the plugin to share the copy',
      );
    if (plugin.config !== undefined && !resolved.parsed.has(plugin.id)) {
      isComplete = false;
      continue;
    }
    try {
      plugin.register(
        registrations.createRegistry(
          plugin.id,
          plugin.config === undefined ? new LiveValue(undefined) : configuration.getLiveValue(plugin.id),
        ),
      );
    } catch (cause) {
      isComplete = false;
      const reason = cause instanceof Error ? cause.message : String(cause);
      problems.push({
        code: 'plugin_failed',
        message: `Plugin "${plugin.id}" failed to register: ${reason}`,
        plugins: [plugin.id],
        cause,
      });
    }
  }
  registrations.close();
  registrations.applyDefaults((candidate) => canBeConstructed(registrations, candidate));
  const { order, problems: cycleProblems } = determineStartOrder([...builtInPlugins, ...plugins], registrations);
  problems.push(...cycleProblems);
  registrations.sortContributions(LifecycleContribution, order);
  // If a plugin is left out, ports that it would have bound are not reported as missing.
  if (isComplete) problems.push(...findMissingDependencies(registrations, required, missingPortHints));
  if (problems.length > 0) throw new HostStartError(problems);
  return { registrations, resolved, startMode };
}
