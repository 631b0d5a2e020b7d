import type { Approval } from '@countersign/contract';
import { notifications } from '@mantine/notifications';
import { useEffect, useRef, useState } from 'react';
import { texts } from '../texts/index.js';

const t = texts.approvals.itemKeys;

/** @returns whether it can be done with this approval; otherwise it has done nothing */
type ItemAction = (approval: Approval) => boolean;

interface Waiting {
  readonly approvalId: string;
  readonly run: ItemAction;
}

interface ItemKeys {
  /** Does something with the approval that was asked for last: now where it is shown, otherwise once it is. Never with another one. */
  press(run: ItemAction): void;
  /** A key waits for its approval to be shown. */
  readonly waits: boolean;
}

/**
 * Keys that mean one approval. A key that is pressed while the next approval loads waits for it. Where it can't be done after
 * all, or the person has gone on to yet another approval, a message says that it was not used.
 *
 * @param shown the approval that is shown as it was asked for; `undefined` while the next one is not there yet
 * @param asked the id of the approval that was asked for last
 * @param failed whether that approval could not be loaded
 */
export function useItemKeys(shown: Approval | undefined, asked: () => string | undefined, failed: boolean): ItemKeys {
  const waiting = useRef<Waiting>(undefined);
  const [waits, setWaits] = useState(false);
  const wait = (next: Waiting | undefined): void => {
    waiting.current = next;
    setWaits(next !== undefined);
  };
  useEffect(() => {
    const { current } = waiting;
    if (current === undefined) return;
    const isAsked = asked() === current.approvalId;
    const isShown = shown?.approvalId === current.approvalId;
    if (isAsked && !isShown && !failed) return;
    wait(undefined);
    if (!isAsked) refuseKey(t.movedOn);
    else if (!isShown || !current.run(shown)) refuseKey(t.notPossible);
  });
  // The page is left with a key still waiting.
  useEffect(() => () => void (waiting.current !== undefined && refuseKey(t.movedOn)), []);
  return {
    waits,
    press: (run) => {
      const approvalId = asked();
      if (approvalId === undefined) return;
      if (shown?.approvalId === approvalId) {
        if (!run(shown)) refuseKey(t.notPossible);
      } else {
        if (waiting.current !== undefined)
          refuseKey(waiting.current.approvalId === approvalId ? t.replaced : t.movedOn);
        wait({ approvalId, run });
      }
    },
  };
}

/** Says why a key was not used. */
export function refuseKey(message: string): void {
  notifications.show({ id: 'item-key-refused', color: 'yellow', message });
}
