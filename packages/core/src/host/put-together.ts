import type { ServiceIdentifier } from 'inversify';
import { ClockPort } from '../ports/clock.js';
import { LoggerPort } from '../ports/logger.js';
import { checkPlugins, type PluginSource } from './check-plugins.js';
import {
  CoreConfiguration,
  CoreConfigurationSchema,
  LiveCoreConfiguration,
} from './configuration/core-configuration.js';
import type { ConfigurationLayers } from './configuration/layers.js';
import { resolveConfiguration, type ResolvedConfiguration } from './configuration/resolve-configuration.js';
import type { HostProblem } from './host-problem.js';
import { registerAgents } from './agents/register-agents.js';
import { HostStartError } from './host-start-error.js';
import { LiveValue } from './live.js';
import { missingDependencies } from './missing-dependencies.js';
import { Registrations } from './registrations.js';
import { LiveConfiguration } from './settings/live-configuration.js';

export interface PutTogetherOptions {
  /** In the order in which they are registered and started. */
  readonly plugins: readonly PluginSource[];
  readonly configuration?: ConfigurationLayers;
  /** Ports that somebody must bind, beyond those that plugins need of each other. */
  readonly required?: readonly ServiceIdentifier[];
  /** What went wrong when plugins were loaded; reported with the rest. */
  readonly problems?: readonly HostProblem[];
}

export interface PutTogether {
  readonly registrations: Registrations;
  readonly resolved: ResolvedConfiguration;
  readonly configuration: LiveConfiguration;
}

/** Lets plugins declare what they have. @throws {HostStartError} */
export function putTogether(options: PutTogetherOptions, logger: LoggerPort, clock: ClockPort): PutTogether {
  const { required = [] } = options;
  const loading = options.problems ?? [];
  const { plugins, problems: pluginProblems } = checkPlugins(options.plugins);
  const layers = options.configuration ?? {};
  const parts = [
    { owner: 'core', schema: CoreConfigurationSchema },
    ...plugins.flatMap(({ id, config }) => (config === undefined ? [] : [{ owner: id, schema: config }])),
  ];
  const resolved = resolveConfiguration(parts, layers, {
    incomplete: loading.some(({ code }) => code === 'plugin_not_loaded'),
  });
  const configuration = new LiveConfiguration(parts, layers, resolved);
  const problems: HostProblem[] = [...loading, ...pluginProblems, ...resolved.problems];
  const registrations = new Registrations(problems);
  registrations.provide(LoggerPort, logger);
  registrations.provide(ClockPort, clock);
  registrations.provide(CoreConfiguration, resolved.parsed.get('core'));
  registrations.provide(LiveCoreConfiguration, configuration.of('core'));
  registerAgents(registrations, configuration, clock);
  let complete = loading.length === 0 && pluginProblems.length === 0;
  for (const plugin of plugins) {
    if (plugin.config !== undefined && !resolved.parsed.has(plugin.id)) {
      complete = false;
      continue;
    }
    try {
      plugin.register(
        registrations.registryOf(
          plugin.id,
          plugin.config === undefined ? new LiveValue(undefined) : configuration.of(plugin.id),
        ),
      );
    } catch (cause) {
      complete = false;
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
  // Where a plugin is left out, what it would have bound is no problem of its own.
  if (complete) problems.push(...missingDependencies(registrations, required));
  if (problems.length > 0) throw new HostStartError(problems);
  return { registrations, resolved, configuration };
}
