import type { SnoozeHost } from '@countersign/inbox-ui';
import type { CountersignBridge } from '../../common/bridge.js';
import type { SnoozedApproval } from '../../common/presence.js';

/** Provides the inbox with snoozes. The main process stores them and ends them on time even if no window is open. */
export function createSnoozeHost(bridge: CountersignBridge, snoozed: readonly SnoozedApproval[]): SnoozeHost {
  const untilByRound = new Map(snoozed.map(({ approvalId, round, until }) => [`${approvalId} ${round}`, until]));
  return {
    snoozedUntil: ({ approvalId, round }) => untilByRound.get(`${approvalId} ${round}`),
    snooze: ({ approvalId, round }, until) => bridge.snooze({ approvalId, round, until }),
    wake: ({ approvalId, round }) => void bridge.wake({ approvalId, round }),
  };
}
