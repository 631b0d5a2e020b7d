import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 1;

/** Returns the longest time that the event loop of this thread was blocked during some work, in ms. */
export async function measureMaxEventLoopDelay(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  await work();
  // One more turn of the event loop, so that the last delay counts.
  await new Promise((resolve) => setTimeout(resolve, RESOLUTION_MS * 2));
  delay.disable();
  return delay.max / 1e6;
}
