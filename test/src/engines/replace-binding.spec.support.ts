import type { Plugin } from '@countersign/core';

type Registry = Parameters<Plugin['register']>[0];

/**
 * Returns a plugin that makes another binding instead of one of the given plugin.
 *
 * @param bind makes the binding; the implementation is that of the given plugin
 */
export function replaceBinding(
  plugin: Plugin,
  token: Parameters<Registry['bind']>[0],
  bind: (registry: Registry, implementation: Parameters<Registry['bind']>[1]) => void,
): Plugin {
  return {
    ...plugin,
    register(registry) {
      plugin.register({
        ...registry,
        bind: (port, implementation) => {
          if (port === token) bind(registry, implementation);
          else registry.bind(port, implementation);
        },
      });
    },
  };
}
