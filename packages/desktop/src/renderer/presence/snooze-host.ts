import type { SnoozeHost } from '@countersign/inbox-ui';
import type { CountersignBridge } from '../../common/bridge.js';
import type { Snoozed } from '../../common/presence.js';

/** Snoozes through the main process, which stores them and ends them on time even without a window. */
export function createSnoozeHost(bridge: CountersignBridge, snoozed: readonly Snoozed[]): SnoozeHost {
  const untilByRound = new Map(snoozed.map(({ approvalId, round, until }) => [`${approvalId} ${round}`, until]));
  return {
    snoozedUntil: ({ approvalId, round }) => untilByRound.get(`${approvalId} ${round}`),
    snooze: ({ approvalId, round }, until) => bridge.snooze({ approvalId, round, until }),
    wake: ({ approvalId, round }) => void bridge.wake({ approvalId, round }),
  };
}
