import { inject, injectable } from 'inversify';
import { type CoreConfiguration, type Live, LiveCoreConfiguration } from '@countersign/core/plugin';
import { DEFAULT_ENGINE_OPTIONS, type EngineOptions } from './engine-options.js';

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
