import type { Approval } from '@countersign/contract';
import { notifications } from '@mantine/notifications';
import { useEffect, useRef, useState } from 'react';
import { getItemId, isQuestion, type DisplayedItem, type ListedItem } from '../inbox/index.js';
import { texts } from '../texts/index.js';

const t = texts.approvals.itemKeys;

/**
 * Performs an action on an approval or a question.
 *
 * @returns whether the action applies to this item; if not, it had no effect
 */
type ItemAction = (item: DisplayedItem) => boolean;

interface WaitingAction {
  readonly itemId: string;
  readonly run: ItemAction;
}

interface ItemKeys {
  /**
   * Runs an action on the item that was requested last: immediately if it is displayed, otherwise as soon as it is
   * displayed. Never runs it on another item.
   */
  runOnRequested(run: ItemAction): void;
  /** Like {@link ItemKeys.runOnRequested}, for an action that does not apply to questions. */
  runOnApproval(run: (approval: Approval) => boolean): void;
  /** Whether a key press waits for its item to be displayed. */
  readonly isWaiting: boolean;
}

/**
 * Handles keys that apply to one approval or question. A key pressed while the next item loads waits for it. If the
 * action does not apply after all, or the user has moved to yet another item, a message reports that the key was not
 * used.
 *
 * @param displayed the displayed item, an approval in its requested round; `undefined` while the next one loads
 * @param getRequestedId returns the id of the item that was requested last
 * @param hasLoadFailed whether the requested item could not be loaded
 */
export function useItemKeys(
  displayed: DisplayedItem | undefined,
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
    const isRequested = getRequestedId() === current.itemId;
    const isDisplayed = displayed !== undefined && getItemId(displayed) === current.itemId;
    if (isRequested && !isDisplayed && !hasLoadFailed) return;
    setWaitingAction(undefined);
    if (!isRequested) notifyKeyIgnored(t.movedOn);
    else if (!isDisplayed || !current.run(displayed)) notifyKeyIgnored(explainNotPossible(displayed));
  });
  // Reports a key press that is still waiting when the user leaves the page.
  useEffect(() => () => void (waiting.current !== undefined && notifyKeyIgnored(t.movedOn)), []);
  const runOnRequested = (run: ItemAction): void => {
    const itemId = getRequestedId();
    if (itemId === undefined) return;
    if (displayed !== undefined && getItemId(displayed) === itemId) {
      if (!run(displayed)) notifyKeyIgnored(explainNotPossible(displayed));
    } else {
      if (waiting.current !== undefined) notifyKeyIgnored(waiting.current.itemId === itemId ? t.replaced : t.movedOn);
      setWaitingAction({ itemId, run });
    }
  };
  return {
    isWaiting: hasWaitingAction,
    runOnRequested,
    runOnApproval: (run) => runOnRequested((item) => !isQuestion(item) && run(item)),
  };
}

/** Explains that an action is not possible for the item. */
export function explainNotPossible(item: ListedItem | DisplayedItem | undefined): string {
  return item !== undefined && isQuestion(item) ? t.notForQuestions : t.notPossible;
}

/** Notifies the user of the reason why a key press was ignored. */
export function notifyKeyIgnored(message: string): void {
  notifications.show({ id: 'item-key-refused', color: 'yellow', message });
}
