import type { Me, Run } from '@countersign/contract';

const EMBEDDED_ENGINE = 'embedded';

/**
 * Returns whether to show the engine of a run: if it, or that of the server, is not the embedded engine. Servers that are
 * older than the page return neither.
 */
export function showsEngine(
  { engine }: Partial<Pick<Run, 'engine'>>,
  me: { readonly engine?: Pick<Me['engine'], 'name'> },
): boolean {
  return engine !== undefined && [engine, me.engine?.name ?? engine].some((name) => name !== EMBEDDED_ENGINE);
}
