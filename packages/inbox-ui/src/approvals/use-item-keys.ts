import type { Approval } from '@countersign/contract';
import { notifications } from '@mantine/notifications';
import { useEffect, useRef, useState } from 'react';
import { texts } from '../texts/index.js';

const t = texts.approvals.itemKeys;

/** @returns whether the action applies to this approval; if not, it has done nothing */
type ItemAction = (approval: Approval) => boolean;

interface Waiting {
  readonly approvalId: string;
  readonly run: ItemAction;
}

interface ItemKeys {
  /**
   * Runs an action on the approval that was requested last: now if it is displayed, otherwise once it is. Never runs it
   * on another approval.
   */
  press(run: ItemAction): void;
  /** Whether a key press waits for its approval to be displayed. */
  readonly waits: boolean;
}

/**
 * Handles keys that apply to one approval. A key pressed while the next approval loads waits for it. If the action does
 * not apply after all, or the user has moved to yet another approval, a message reports that the key was not used.
 *
 * @param shown the displayed approval in its requested round; `undefined` while the next one loads
 * @param asked returns the id of the approval that was requested last
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
  // The page is left while a key press is still waiting.
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

/** Shows why a key was not used. */
export function refuseKey(message: string): void {
  notifications.show({ id: 'item-key-refused', color: 'yellow', message });
}
