import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { TimerActivities } from './activities.js';

/** Tells the workflow that a deployment may have changed the start timers. */
export const startTimersChanged = defineSignal('startTimersChanged');

/** Longest pause, in ms. It limits the delay if a server dies between a deployment and its signal. */
const MAX_PAUSE_MS = 60_000;
/** Shortest pause, in ms. */
const MIN_PAUSE_MS = 100;

const { fireStartTimers } = proxyActivities<TimerActivities>({
  startToCloseTimeout: '30s',
  heartbeatTimeout: '3s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

/** Starts runs for the timer start events of all workflows. Each installation has one such workflow. */
export async function countersignStartTimers(): Promise<void> {
  let hasChanged = false;
  setHandler(startTimersChanged, () => {
    hasChanged = true;
  });
  for (;;) {
    hasChanged = false;
    const { nextDueInMs } = await fireStartTimers();
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof countersignStartTimers>();
    const pauseMs = Math.max(MIN_PAUSE_MS, Math.min(nextDueInMs ?? MAX_PAUSE_MS, MAX_PAUSE_MS));
    await condition(() => hasChanged, pauseMs);
  }
}
