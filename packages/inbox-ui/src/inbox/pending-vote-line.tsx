import { Button, Group, Progress, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Keys } from '../keys/keys-help.js';
import { useActionKeys } from '../keys/keys-provider.js';
import { texts } from '../texts/index.js';
import { toOneLine } from '../ui/to-one-line.js';
import { toUserMessage } from '../ui/to-user-message.js';
import { ConfirmButton } from './confirm-button.js';
import { toFormAction } from './form-draft.js';
import { hasFailed } from './group-pending-votes.js';
import type { PendingVote } from './pending-vote.js';
import { UNDO_WINDOW_MS, getSecondsLeft } from './pending-votes.js';

const t = texts.pendingVotes;
const TICK_MS = 250;

export interface PendingVoteCallbacks {
  onUndo(approvalId: string): void;
  /** Retries a vote whose response did not arrive. */
  onRetry(approvalId: string): void;
  /** Called when the user dismisses the message. */
  onDismiss(entry: PendingVote): void;
  /** Shows the approval of a vote that was not counted. */
  onOpen(entry: PendingVote): void;
}

interface PendingVoteLineProps extends PendingVoteCallbacks {
  readonly entry: PendingVote;
  /** Whether the line appears on its own, so that screen readers announce a failure. */
  readonly isAnnounced: boolean;
  /** Whether the undo key undoes this vote. */
  readonly hasUndoKey: boolean;
}

/** One line with a pending vote and its actions. A title that is too long is cut; a failure is explained in full. */
export function PendingVoteLine({
  entry,
  isAnnounced,
  hasUndoKey,
  onUndo,
  onRetry,
  onDismiss,
  onOpen,
}: PendingVoteLineProps) {
  const { approval, draft, state, sendAt, error, forget } = entry;
  const { approvalId } = approval;
  const undoKeys = useActionKeys('inbox.undo');
  const remainingMs = useTimeLeft(sendAt, state === 'undoable');
  const actionText = t.inProgress[toFormAction(draft)];
  const title = toOneLine(approval.title, 80);
  const isFailed = hasFailed(entry);
  const vote = t.vote(actionText, title);
  const progress =
    state === 'undoable'
      ? t.undoable(getSecondsLeft(sendAt, sendAt - remainingMs))
      : entry.opensSigningDialog
        ? t.signing
        : t.sending;
  return (
    <div
      className="cs-pending-vote"
      role={isFailed && isAnnounced ? 'alert' : 'group'}
      aria-label={isFailed && isAnnounced ? undefined : title}
    >
      {isFailed ? (
        <Text size="sm" className="cs-pending-vote-error">
          {state === 'unconfirmed'
            ? t.unconfirmed(actionText, title)
            : t[state === 'changed' ? 'changed' : 'refused'](actionText, title, toUserMessage(error))}
        </Text>
      ) : (
        <Text size="sm" component="div" className="cs-pending-vote-text" title={vote}>
          <span>{vote}</span> <span>{progress}</span>
        </Text>
      )}
      <Group gap="xs" wrap="nowrap">
        {state === 'undoable' && (
          <ConfirmButton
            size="compact-sm"
            variant="light"
            rightSection={hasUndoKey && undoKeys !== undefined ? <Keys keys={undoKeys} /> : undefined}
            onClick={() => onUndo(approvalId)}
          >
            {t.actions.undo}
          </ConfirmButton>
        )}
        {state === 'unconfirmed' && (
          <Button size="compact-sm" onClick={() => onRetry(approvalId)}>
            {t.actions.retry}
          </Button>
        )}
        {(state === 'refused' || state === 'changed') && (
          <Button size="compact-sm" onClick={() => onOpen(entry)}>
            {t.review}
          </Button>
        )}
        {(state === 'refused' || state === 'changed' || (state === 'unconfirmed' && forget !== undefined)) && (
          <Button size="compact-sm" variant="default" onClick={() => onDismiss(entry)}>
            {state === 'unconfirmed' ? t.actions.dismissLost : t.actions.dismiss}
          </Button>
        )}
      </Group>
      {!isFailed && (
        <Progress
          className="cs-pending-vote-progress"
          size={3}
          radius={0}
          value={state === 'undoable' ? 100 - (remainingMs / UNDO_WINDOW_MS) * 100 : 100}
          animated={state === 'sending'}
          aria-label={`${vote} ${progress}`}
        />
      )}
    </div>
  );
}

function useTimeLeft(until: number, running: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [running, until]);
  return Math.max(0, until - now);
}
