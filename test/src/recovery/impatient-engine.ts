import type { Plugin } from '@countersign/core';
import {
  DEFAULT_ENGINE_OPTIONS,
  engineEmbeddedPlugin,
  EngineOptionsToken,
  type EngineOptions,
} from '@countersign/engine-embedded';

export type EngineOverrides = Partial<Omit<EngineOptions, 'settings'>> & {
  readonly settings?: Partial<EngineOptions['settings']>;
};

/** The real engine with shorter times, so that a test need not wait for a lease to expire. */
export function impatientEngine(options: EngineOverrides): Plugin {
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
