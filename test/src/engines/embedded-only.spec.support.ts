import { TEST_ENGINE_VARIABLE } from '@countersign/testing';
import type { AsyncFunc } from 'mocha';

/** Whether test hosts use the embedded engine. */
export const isOnEmbedded = process.env[TEST_ENGINE_VARIABLE] === undefined;

/**
 * Defines a spec of something that only the embedded engine does. It is skipped when the specs run on another engine.
 *
 * @param reason what the embedded engine does differently
 */
export function itOnEmbedded(title: string, reason: string, define: AsyncFunc): void {
  if (isOnEmbedded) it(title, define);
  else it.skip(`${title} (only on the embedded engine: ${reason})`);
}
