import type { ServiceIdentifier } from 'inversify';
import { LifecycleContribution } from '../contributions/lifecycle.js';
import { ClockPort } from '../ports/clock.js';
import { LoggerPort } from '../ports/logger.js';
import { buildContainer } from './build-container.js';
import { CoreConfiguration, CoreConfigurationSchema } from './configuration/core-configuration.js';
import type { ConfigurationView } from './configuration/configuration-view.js';
import type { ConfigurationLayers } from './configuration/layers.js';
import { resolveConfiguration } from './configuration/resolve-configuration.js';
import { checkPlugins, type PluginSource } from './check-plugins.js';
import type { HostProblem } from './host-problem.js';
import { HostStartError } from './host-start-error.js';
import { HostStopError } from './host-stop-error.js';
import { Lifecycle } from './lifecycle.js';
import { LiveValue } from './live.js';
import { missingDependencies } from './missing-dependencies.js';
import { Registrations } from './registrations.js';

export interface HostOptions {
  /** In the order in which they are registered and started. */
  readonly plugins: readonly PluginSource[];
  readonly configuration?: ConfigurationLayers;
  /** By default nothing is logged. */
  readonly logger?: LoggerPort;
  /** By default the system's clock. */
  readonly clock?: ClockPort;
  /** Ports that somebody must bind, beyond those that plugins need of each other. */
  readonly required?: readonly ServiceIdentifier[];
  /** What went wrong when plugins were loaded; reported with the rest. */
  readonly problems?: readonly HostProblem[];
  /** How long each part may take to stop, in milliseconds. */
  readonly stopTimeoutMs?: number;
}

/** Plugins put together. */
export interface Host {
  /** The one thing behind a token. @throws where nothing is bound to it. */
  get<T>(token: ServiceIdentifier<T>): T;
  /** All contributions to a point, in the order of registration. */
  getAll<T>(point: ServiceIdentifier<T>): readonly T[];
  /** Without secrets. */
  readonly configuration: ConfigurationView;
  /** Starts the lifecycle contributions in order. @throws {HostStartError} after what had been started was stopped. */
  start(): Promise<void>;
  /** Stops them in the reverse order, each within a time. Does nothing where nothing runs. @throws {HostStopError} */
  stop(): Promise<void>;
}

const DEFAULT_STOP_TIMEOUT_MS = 30_000;

/**
 * Puts plugins together: configuration, ports, contributions. Nothing is made or started yet.
 *
 * @throws {HostStartError} with everything that is wrong.
 */
export function createHost(options: HostOptions): Host {
  const { logger = silentLogger, clock = systemClock, required = [], stopTimeoutMs = DEFAULT_STOP_TIMEOUT_MS } = options;
  const loading = options.problems ?? [];
  const { plugins, problems: pluginProblems } = checkPlugins(options.plugins);
  const resolved = resolveConfiguration(
    [{ owner: 'core', schema: CoreConfigurationSchema }, ...plugins.flatMap(({ id, config }) => (config === undefined ? [] : [{ owner: id, schema: config }]))],
    options.configuration ?? {},
    { incomplete: loading.some(({ code }) => code === 'plugin_not_loaded') },
  );
  const problems: HostProblem[] = [...loading, ...pluginProblems, ...resolved.problems];
  const registrations = new Registrations(problems);
  registrations.provide(LoggerPort, logger);
  registrations.provide(ClockPort, clock);
  registrations.provide(CoreConfiguration, resolved.parsed.get('core'));
  let complete = loading.length === 0 && pluginProblems.length === 0;
  for (const plugin of plugins) {
    if (plugin.config !== undefined && !resolved.parsed.has(plugin.id)) {
      complete = false;
      continue;
    }
    try {
      plugin.register(registrations.registryOf(plugin.id, new LiveValue(resolved.parsed.get(plugin.id))));
    } catch (cause) {
      complete = false;
      const reason = cause instanceof Error ? cause.message : String(cause);
      problems.push({ code: 'plugin_failed', message: `Plugin "${plugin.id}" failed to register: ${reason}`, plugins: [plugin.id], cause });
    }
  }
  registrations.close();
  // Where a plugin is left out, what it would have bound is no problem of its own.
  if (complete) problems.push(...missingDependencies(registrations, required));
  if (problems.length > 0) throw new HostStartError(problems);
  return startable(registrations, resolved.view, new Lifecycle(logger, stopTimeoutMs));
}

function startable(registrations: Registrations, configuration: ConfigurationView, lifecycle: Lifecycle): Host {
  const container = buildContainer(registrations);
  let state: 'idle' | 'running' | 'stopped' = 'idle';
  return Object.freeze({
    get: <T>(token: ServiceIdentifier<T>): T => container.get(token),
    getAll: <T>(point: ServiceIdentifier<T>): readonly T[] => container.getAll(point),
    configuration,
    start: async () => {
      if (state !== 'idle') throw new Error('A host can be started only once.');
      state = 'running';
      const failure = await lifecycle.start(container.getAll(LifecycleContribution)).catch((error: unknown) => ({ name: 'a part', error }));
      if (failure === undefined) return;
      state = 'stopped';
      throw new HostStartError([startProblem(failure.name, failure.error)]);
    },
    stop: async () => {
      if (state !== 'running') return;
      state = 'stopped';
      const failures = await lifecycle.stop();
      if (failures.length > 0) throw new HostStopError(failures);
    },
  });
}

function startProblem(name: string, error: unknown): HostProblem {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'start_failed';
  return { code, message: `${name} did not start: ${error instanceof Error ? error.message : String(error)}`, cause: error };
}

const silentLogger: LoggerPort = Object.freeze({ debug: ignore, info: ignore, warn: ignore, error: ignore });

function ignore(): void {
  // Nobody listens.
}

const systemClock: ClockPort = Object.freeze({ now: () => Date.now() });
