import type { Plugin } from '@countersign/core';

/** Loads the plugin of the Temporal engine; returns `undefined` if its dependencies are not installed. */
export async function loadTemporalEngine(): Promise<Plugin | undefined> {
  // Not a literal, because the package is not part of every build.
  const name = '@countersign/engine-temporal';
  try {
    return ((await import(name)) as { engineTemporalPlugin: Plugin }).engineTemporalPlugin;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
