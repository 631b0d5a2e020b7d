import type { Approval } from '@countersign/contract';
import { notifications } from '@mantine/notifications';
import { useEffect, useRef, useState } from 'react';
import { texts } from '../texts/index.js';

const t = texts.approvals.itemKeys;

/**
 * Performs an action on an approval.
 *
 * @returns whether the action applies to this approval; if not, it had no effect
 */
type ItemAction = (approval: Approval) => boolean;

interface WaitingAction {
  readonly approvalId: string;
  readonly run: ItemAction;
}

interface ItemKeys {
  /**
   * Runs an action on the approval that was requested last: immediately if it is displayed, otherwise as soon as it is
   * displayed. Never runs it on another approval.
   */
  runOnRequested(run: ItemAction): void;
  /** Whether a key press waits for its approval to be displayed. */
  readonly isWaiting: boolean;
}

/**
 * Handles keys that apply to one approval. A key pressed while the next approval loads waits for it. If the action does
 * not apply after all, or the user has moved to yet another approval, a message reports that the key was not used.
 *
 * @param displayed the displayed approval in its requested round; `undefined` while the next one loads
 * @param getRequestedId returns the id of the approval that was requested last
 * @param hasLoadFailed whether the requested approval could not be loaded
 */
export function useItemKeys(
  displayed: Approval | undefined,
  getRequestedId: () => string | undefined,
  hasLoadFailed: boolean,
): ItemKeys {
  const waiting = useRef<WaitingAction>(undefined);
  const [hasWaitingAction, setHasWaitingAction] = useState(false);
  const setWaitingAction = (next: WaitingAction | undefined): void => {
    waiting.current = next;
    setHasWaitingAction(next !== undefined);
  };
  useEffect(() => {
    const { current } = waiting;
    if (current === undefined) return;
    const isRequested = getRequestedId() === current.approvalId;
    const isDisplayed = displayed?.approvalId === current.approvalId;
    if (isRequested && !isDisplayed && !hasLoadFailed) return;
    setWaitingAction(undefined);
    if (!isRequested) notifyKeyIgnored(t.movedOn);
    else if (!isDisplayed || !current.run(displayed)) notifyKeyIgnored(t.notPossible);
  });
  // Reports a key press that is still waiting when the user leaves the page.
  useEffect(() => () => void (waiting.current !== undefined && notifyKeyIgnored(t.movedOn)), []);
  return {
    isWaiting: hasWaitingAction,
    runOnRequested: (run) => {
      const approvalId = getRequestedId();
      if (approvalId === undefined) return;
      if (displayed?.approvalId === approvalId) {
        if (!run(displayed)) notifyKeyIgnored(t.notPossible);
      } else {
        if (waiting.current !== undefined)
          notifyKeyIgnored(waiting.current.approvalId === approvalId ? t.replaced : t.movedOn);
        setWaitingAction({ approvalId, run });
      }
    },
  };
}

/** Notifies the user of the reason why a key press was ignored. */
export function notifyKeyIgnored(message: string): void {
  notifications.show({ id: 'item-key-refused', color: 'yellow', message });
}
