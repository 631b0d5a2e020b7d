import type { Plugin } from '@countersign/core';
import { DEFAULT_ENGINE_OPTIONS, EngineOptionsToken, type EngineOptions } from '@countersign/engine';
import { engineEmbeddedPlugin } from '@countersign/engine-embedded';

export type EngineOverrides = Partial<Omit<EngineOptions, 'settings'>> & {
  readonly settings?: Partial<EngineOptions['settings']>;
};

/**
 * Creates the plugin of the real engine with shorter intervals, so that a test need not wait long for a lease to
 * expire.
 */
export function createImpatientEngine(options: EngineOverrides): Plugin {
  return {
    ...engineEmbeddedPlugin,
    register(registry) {
      engineEmbeddedPlugin.register({
        ...registry,
        bind: (port, implementation) => {
          const token: unknown = port;
          if (token === EngineOptionsToken)
            registry.provide(EngineOptionsToken, {
              ...DEFAULT_ENGINE_OPTIONS,
              ...options,
              settings: { ...DEFAULT_ENGINE_OPTIONS.settings, ...options.settings },
            });
          else registry.bind(port, implementation);
        },
      });
    },
  };
}
