import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 1;

/** The longest that the event loop of this thread did not turn while something went on, in ms. */
export async function heldDuring(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  await work();
  // One more turn, so that the last delay counts.
  await new Promise((resolve) => setTimeout(resolve, RESOLUTION_MS * 2));
  delay.disable();
  return delay.max / 1e6;
}
