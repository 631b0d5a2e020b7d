import type { Approval } from '@countersign/contract';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { formatSnooze, toOneLine, useInboxHost } from '../inbox/index.js';
import { texts } from '../texts/index.js';
import { statusMessages } from '../ui/status-messages.js';

const t = texts.approvals.snooze;

interface SnoozeDialogState {
  /** The approval that the dialog is open for. */
  readonly approval: Approval | undefined;
  canSnooze(approval: Approval): boolean;
  /** @returns whether the approval can be snoozed; if not, no dialog opens */
  open(approval: Approval): boolean;
  close(): void;
  /** @param until in ms since the epoch; omitted: ends the snooze now */
  snooze(until?: number): void;
}

/**
 * Manages snoozing of approvals.
 *
 * @param onDone called to move the focus afterwards
 * @returns `undefined` if the host does not support snoozing
 */
export function useSnoozing(onDone: () => void): SnoozeDialogState | undefined {
  const { snooze: snoozeHost } = useInboxHost();
  const [approval, setApproval] = useState<Approval>();
  if (snoozeHost === undefined) return undefined;
  const closeDialog = (): void => setApproval(undefined);
  const snoozeUntil = async (target: Approval, until: number): Promise<void> => {
    const title = toOneLine(target.title, 80);
    const wasSnoozed = await snoozeHost.snooze(target, until).catch(() => false);
    if (wasSnoozed) statusMessages.show(t.done(title, formatSnooze(until, Date.now())));
    else notifications.show({ color: 'yellow', message: t.refused(title) });
  };
  const isSnoozable = ({ status, canDecide }: Approval): boolean => status === 'pending' && canDecide.allowed;
  return {
    approval,
    canSnooze: isSnoozable,
    open: (target) => {
      if (isSnoozable(target)) setApproval(target);
      return isSnoozable(target);
    },
    close: closeDialog,
    snooze: (until) => {
      if (approval === undefined) return;
      closeDialog();
      if (until === undefined) snoozeHost.wake(approval);
      else void snoozeUntil(approval, until);
      onDone();
    },
  };
}
