import type { Container, ServiceIdentifier } from 'inversify';
import { LifecycleContribution } from '../contributions/lifecycle.js';
import type { ClockPort } from '../ports/clock.js';
import type { LoggerPort } from '../ports/logger.js';
import { EnginePort } from '../ports/engine.js';
import { StoragePort } from '../ports/storage.js';
import { AgentsLifecycle } from './agents/agents-lifecycle.js';
import { hasOwnAgents } from './agents/register-agents.js';
import { buildContainer } from './build-container.js';
import type { CoreConfiguration } from './configuration/core-configuration.js';
import type { ConfigurationView } from './configuration/configuration-view.js';
import type { HostProblem } from './host-problem.js';
import { HostStartError } from './host-start-error.js';
import { HostStopError } from './host-stop-error.js';
import { Lifecycle } from './lifecycle.js';
import { putTogether, type PutTogether, type PutTogetherOptions } from './put-together.js';
import { HostSettings } from './settings/host-settings.js';
import { KeyRing } from './settings/key-ring.js';
import { SavedSettings } from './settings/saved-settings.js';
import { SettingsNeedRebuild } from './settings/settings-need-rebuild.js';

export interface HostOptions extends PutTogetherOptions {
  /** By default nothing is logged. */
  readonly logger?: LoggerPort;
  /** By default the system's clock. */
  readonly clock?: ClockPort;
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
  /**
   * Starts the lifecycle contributions in order, and the saved settings behind the storage. {@link startHost} is the way to
   * do it: by itself, saved settings that need the host to be put together with them wait.
   *
   * @param options `rebuild`: throw {@link SettingsNeedRebuild} instead.
   * @throws {HostStartError} after what had been started was stopped.
   */
  start(options?: { readonly rebuild?: boolean }): Promise<void>;
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
  const { logger = silentLogger, clock = systemClock, stopTimeoutMs = DEFAULT_STOP_TIMEOUT_MS } = options;
  const together = putTogether(options, logger, clock);
  const container = buildContainer(together.registrations);
  const settings = savedSettingsOf(together, container, { logger, clock });
  const lifecycle = new Lifecycle(logger, stopTimeoutMs);
  let state: 'idle' | 'running' | 'stopped' = 'idle';
  return Object.freeze({
    get: <T>(token: ServiceIdentifier<T>): T => container.get(token),
    getAll: <T>(point: ServiceIdentifier<T>): readonly T[] => container.getAll(point),
    configuration: together.resolved.view,
    start: async ({ rebuild = false } = {}) => {
      if (state !== 'idle') throw new Error('A host can be started only once.');
      state = 'running';
      const parts = [...container.getAll(LifecycleContribution)];
      if (hasOwnAgents(together.registrations)) parts.splice(beforeEngine(together), 0, container.get(AgentsLifecycle));
      if (settings !== undefined)
        parts.splice(behindStorage(together), 0, {
          name: settings.name,
          start: () => settings.start({ rebuild }),
          stop: () => settings.stop(),
        });
      const failure = await lifecycle.start(parts).catch((error: unknown) => ({ name: 'a part', error }));
      if (failure === undefined) return;
      state = 'stopped';
      if (failure.error instanceof SettingsNeedRebuild || failure.error instanceof HostStartError) throw failure.error;
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

/** The saved settings of a host that has a storage. */
function savedSettingsOf(
  { registrations, resolved, configuration }: PutTogether,
  container: Container,
  { logger, clock }: { logger: LoggerPort; clock: ClockPort },
): SavedSettings | undefined {
  if (!registrations.single.has(StoragePort)) return undefined;
  const saved = new SavedSettings({
    configuration,
    store: () => container.get(StoragePort),
    ring: new KeyRing(resolved.parsed.get('core') as CoreConfiguration, logger),
    clock,
    log: logger,
  });
  container.bind(HostSettings).toConstantValue(saved);
  return saved;
}

/** How many parts start before the agents: all but the engine, so that the sources of tools have started. */
function beforeEngine({ registrations }: PutTogether): number {
  const engine = registrations.single.get(EnginePort)?.plugin;
  const parts = registrations.many.get(LifecycleContribution) ?? [];
  const found = parts.findIndex(({ plugin }) => plugin === engine);
  return found < 0 ? parts.length : found;
}

/** How many parts start before the saved settings: those of the storage are the last of them. */
function behindStorage({ registrations }: PutTogether): number {
  const storage = registrations.single.get(StoragePort)?.plugin;
  return (registrations.many.get(LifecycleContribution) ?? []).findLastIndex(({ plugin }) => plugin === storage) + 1;
}

function startProblem(name: string, error: unknown): HostProblem {
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'start_failed';
  return {
    code,
    message: `${name} did not start: ${error instanceof Error ? error.message : String(error)}`,
    cause: error,
  };
}

const silentLogger: LoggerPort = Object.freeze({ debug: ignore, info: ignore, warn: ignore, error: ignore });

function ignore(): void {
  // Nobody listens.
}

const systemClock: ClockPort = Object.freeze({ now: () => Date.now() });
