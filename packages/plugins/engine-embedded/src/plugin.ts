import { inject, injectable } from 'inversify';
import { CoreConfiguration, definePlugin, EnginePort, LifecycleContribution } from '@countersign/core/plugin';
import { EmbeddedEngine, EngineOptionsToken } from './embedded-engine.js';
import { DEFAULT_ENGINE_OPTIONS, type EngineOptions } from './engine-options.js';

/** How long jobs in hand may take to finish when the server stops, in ms. */
const GRACE_MS = 10_000;

/** The engine's options as the configuration wants them. */
@injectable()
export class ConfiguredEngineOptions implements EngineOptions {
  readonly settings: EngineOptions['settings'];
  readonly maxCalledRuns: number;
  readonly maxBatch = DEFAULT_ENGINE_OPTIONS.maxBatch;
  readonly maxConcurrentBatches = DEFAULT_ENGINE_OPTIONS.maxConcurrentBatches;
  readonly minConcurrentBatch = DEFAULT_ENGINE_OPTIONS.minConcurrentBatch;
  readonly maxActiveJobs = DEFAULT_ENGINE_OPTIONS.maxActiveJobs;
  readonly leaseMs = DEFAULT_ENGINE_OPTIONS.leaseMs;
  readonly pollMs = DEFAULT_ENGINE_OPTIONS.pollMs;
  readonly cachedRuns = DEFAULT_ENGINE_OPTIONS.cachedRuns;

  constructor(@inject(CoreConfiguration) configuration: CoreConfiguration) {
    const { SeparationOfDuties } = configuration.Approvals;
    this.settings = { ...DEFAULT_ENGINE_OPTIONS.settings, separationOfDuties: SeparationOfDuties };
    this.maxCalledRuns = configuration.Limits.CalledRuns;
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

/** Runs workflows in this process, on the storage that is bound. */
export const engineEmbeddedPlugin = definePlugin({
  id: 'engine-embedded',
  register({ bind, contribute }) {
    bind(EngineOptionsToken, ConfiguredEngineOptions);
    bind(EnginePort, EmbeddedEngine);
    contribute(LifecycleContribution, EngineLifecycle);
  },
});
