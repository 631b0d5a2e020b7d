import type { Approval } from '@countersign/contract';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { formatSnooze, oneLine, useInboxHost } from '../inbox/index.js';
import { texts } from '../texts/index.js';

const t = texts.approvals.snooze;

interface Snoozing {
  /** The approval that the dialog is open for. */
  readonly approval: Approval | undefined;
  may(approval: Approval): boolean;
  /** @returns whether the approval can be snoozed; if not, no dialog opens */
  begin(approval: Approval): boolean;
  end(): void;
  /** @param until in ms since the epoch; omitted: ends the snooze now */
  snooze(until?: number): void;
}

/**
 * Manages snoozing of approvals.
 *
 * @param onDone called to move the focus afterwards
 * @returns `undefined` if the host does not support snoozing
 */
export function useSnoozing(onDone: () => void): Snoozing | undefined {
  const { snooze: host } = useInboxHost();
  const [approval, setApproval] = useState<Approval>();
  if (host === undefined) return undefined;
  const end = (): void => setApproval(undefined);
  const put = async (asked: Approval, until: number): Promise<void> => {
    const title = oneLine(asked.title, 80);
    const done = await host.put(asked, until).catch(() => false);
    notifications.show(
      done
        ? { message: t.done(title, formatSnooze(until, Date.now())) }
        : { color: 'yellow', message: t.refused(title) },
    );
  };
  const may = ({ status, canDecide }: Approval): boolean => status === 'pending' && canDecide.allowed;
  return {
    approval,
    may,
    begin: (asked) => {
      if (may(asked)) setApproval(asked);
      return may(asked);
    },
    end,
    snooze: (until) => {
      if (approval === undefined) return;
      end();
      if (until === undefined) host.wake(approval);
      else void put(approval, until);
      onDone();
    },
  };
}
