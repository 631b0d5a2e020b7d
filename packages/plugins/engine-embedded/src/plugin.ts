import { inject, injectable } from 'inversify';
import {
  AgentRuntimePort,
  type CoreConfiguration,
  definePlugin,
  LifecycleContribution,
  type Live,
  LiveCoreConfiguration,
  ReadinessCheckContribution,
  SettingsTestContribution,
} from '@countersign/core/plugin';
import { EnginePort } from '@countersign/core/ports';
import { EmbeddedEngine, EngineOptionsToken } from './embedded-engine.js';
import { EngineCheck } from './engine-check.js';
import { EngineTest } from './engine-test.js';
import { DEFAULT_ENGINE_OPTIONS, type EngineOptions } from './engine-options.js';

/** Time for running jobs to finish when the server stops, in ms. */
const GRACE_MS = 10_000;

/** Engine options from the configuration. */
@injectable()
export class ConfiguredEngineOptions implements EngineOptions {
  readonly maxBatch = DEFAULT_ENGINE_OPTIONS.maxBatch;
  readonly maxConcurrentBatches = DEFAULT_ENGINE_OPTIONS.maxConcurrentBatches;
  readonly minConcurrentBatch = DEFAULT_ENGINE_OPTIONS.minConcurrentBatch;
  readonly maxActiveJobs = DEFAULT_ENGINE_OPTIONS.maxActiveJobs;
  readonly leaseMs = DEFAULT_ENGINE_OPTIONS.leaseMs;
  readonly pollMs = DEFAULT_ENGINE_OPTIONS.pollMs;
  readonly cachedRuns = DEFAULT_ENGINE_OPTIONS.cachedRuns;

  // Each command uses the settings that are in force when it is evaluated.
  settings = DEFAULT_ENGINE_OPTIONS.settings;
  maxChildRuns = DEFAULT_ENGINE_OPTIONS.maxChildRuns;

  constructor(@inject(LiveCoreConfiguration) configuration: Live<CoreConfiguration>) {
    this.#applyConfiguration(configuration.current);
    configuration.onChange((changed) => this.#applyConfiguration(changed));
  }

  #applyConfiguration({ Approvals, Limits }: CoreConfiguration): void {
    this.settings = {
      ...DEFAULT_ENGINE_OPTIONS.settings,
      separationOfDuties: Approvals.SeparationOfDuties,
      excludeDeployers: Approvals.ExcludeDeployers,
      requireDigest: Approvals.RequireDigest,
    };
    this.maxChildRuns = Limits.CalledRuns;
  }
}

@injectable()
export class EngineLifecycle implements LifecycleContribution {
  readonly name = 'engine';

  constructor(@inject(EnginePort) private readonly engine: EnginePort) {}

  start(): Promise<void> {
    return this.engine.start();
  }

  stop(): Promise<void> {
    return this.engine.stop(GRACE_MS);
  }
}

/** Plugin that runs workflows in this process, on the bound storage. */
export const engineEmbeddedPlugin = definePlugin({
  id: 'engine-embedded',
  dependsOn: [AgentRuntimePort],
  register({ bind, contribute }) {
    bind(EngineOptionsToken, ConfiguredEngineOptions);
    bind(EnginePort, EmbeddedEngine);
    contribute(LifecycleContribution, EngineLifecycle);
    contribute(ReadinessCheckContribution, EngineCheck);
    contribute(SettingsTestContribution, EngineTest);
  },
});
