import type { Plugin } from '@countersign/core';
import { DEFAULT_ENGINE_OPTIONS, EngineOptionsToken, type EngineOptions } from '@countersign/engine';
import { engineEmbeddedPlugin } from '@countersign/engine-embedded';
import { replaceBinding } from '../engines/replace-binding.spec.support.js';

export type EngineOverrides = Partial<Omit<EngineOptions, 'settings'>> & {
  readonly settings?: Partial<EngineOptions['settings']>;
};

/**
 * Creates the plugin of a real engine with shorter intervals, so that a test need not wait long for a lease to expire.
 */
export function createImpatientEngine(options: EngineOverrides, engine: Plugin = engineEmbeddedPlugin): Plugin {
  return replaceBinding(engine, EngineOptionsToken, ({ provide }) =>
    provide(EngineOptionsToken, {
      ...DEFAULT_ENGINE_OPTIONS,
      ...options,
      settings: { ...DEFAULT_ENGINE_OPTIONS.settings, ...options.settings },
    }),
  );
}
