import type { ServiceIdentifier } from 'inversify';
import { LifecycleContribution } from '../contributions/lifecycle.js';
import type { ClockPort } from '../ports/clock.js';
import type { LoggerPort } from '../ports/logger.js';
import { buildContainer } from './build-container.js';
import type { ConfigurationView } from './configuration/configuration-view.js';
import { DatabaseClock } from './database-clock.js';
import type { HostProblem } from '../errors/host-problem.js';
import { HostStartError, isHostStartError } from '../errors/host-start-error.js';
import { HostStopError } from './host-stop-error.js';
import { Lifecycle } from './lifecycle.js';
import { composePlugins, type CompositionOptions } from './compose-plugins.js';
import type { Plugin } from './define-plugin.js';
import { HostRebuildRequired } from './settings/host-rebuild-required.js';

export interface HostOptions extends CompositionOptions {
  /** Default: nothing is logged. */
  readonly logger?: LoggerPort;
  /** Default: the system's clock, corrected by the database's. */
  readonly clock?: ClockPort;
  /** Time limit for each part to stop, in milliseconds. */
  readonly stopTimeoutMs?: number;
}

/** The assembled plugins. */
export interface Host {
  /**
   * Returns the instance bound to a token.
   *
   * @throws {Error} if nothing is bound to the token
   */
  get<T>(token: ServiceIdentifier<T>): T;
  /** Returns all contributions to a point in registration order; lifecycle contributions in start order. */
  getAll<T>(point: ServiceIdentifier<T>): readonly T[];
  /** The configuration without secrets. */
  readonly configuration: ConfigurationView;
  /**
   * Starts the lifecycle contributions in order. Use {@link startHost} instead: with this method alone, saved settings
   * that require a new host wait for the next start.
   *
   * @param options `rebuild`: throw {@link HostRebuildRequired} instead
   * @throws {HostStartError} if a contribution does not start; those already started have been stopped
   */
  start(options?: { readonly rebuild?: boolean }): Promise<void>;
  /**
   * Stops the lifecycle contributions in reverse order, each within the time limit. Does nothing unless the host is
   * running.
   *
   * @throws {HostStopError} if a contribution does not stop properly or in time
   */
  stop(): Promise<void>;
}

const DEFAULT_STOP_TIMEOUT_MS = 30_000;

/**
 * Assembles plugins: configuration, ports, contributions. Creates and starts no instances yet.
 *
 * @param builtInPlugins plugins that are part of every host
 * @throws {HostStartError} if the host cannot be assembled; it lists all problems
 */
export function assembleHost(options: HostOptions, builtInPlugins: readonly Plugin[]): Host {
  const { logger = silentLogger, clock = new DatabaseClock(), stopTimeoutMs = DEFAULT_STOP_TIMEOUT_MS } = options;
  const { registrations, resolved, startMode } = composePlugins(options, builtInPlugins, logger, clock);
  const container = buildContainer(registrations);
  const lifecycle = new Lifecycle(logger, stopTimeoutMs);
  let state: 'idle' | 'running' | 'stopped' = 'idle';
  return Object.freeze({
    get: <T>(token: ServiceIdentifier<T>): T => container.get(token),
    getAll: <T>(point: ServiceIdentifier<T>): readonly T[] => container.getAll(point),
    configuration: resolved.view,
    start: async ({ rebuild = false } = {}) => {
      if (state !== 'idle') throw new Error('A host can be started only once.');
      state = 'running';
      startMode.mayRebuild = rebuild;
      const failure = await lifecycle
        .start(container.getAll(LifecycleContribution))
        .catch((error: unknown) => ({ name: 'A part of the host', error }));
      if (failure === undefined) return;
      state = 'stopped';
      if (failure.error instanceof HostRebuildRequired || isHostStartError(failure.error)) throw failure.error;
      throw new HostStartError([toStartProblem(failure.name, failure.error)]);
    },
    stop: async () => {
      if (state !== 'running') return;
      state = 'stopped';
      const failures = await lifecycle.stop();
      if (failures.length > 0) throw new HostStopError(failures);
    },
  });
}

function toStartProblem(name: string, error: unknown): HostProblem {
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'start_failed';
  return {
    code,
    message: `${name} did not start: ${error instanceof Error ? error.message : String(error)}`,
    cause: error,
  };
}

const silentLogger: LoggerPort = Object.freeze({ debug: noop, info: noop, warn: noop, error: noop });

function noop(): void {
  // Discards the log entry.
}
