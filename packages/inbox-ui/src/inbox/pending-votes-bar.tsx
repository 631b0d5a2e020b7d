import { Button, Group, Paper, Progress, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Keys } from '../keys/keys-help.js';
import { useActionKeys } from '../keys/keys-provider.js';
import { texts } from '../texts/index.js';
import { toUserMessage } from '../ui/to-user-message.js';
import { UNDO_WINDOW_MS, getSecondsLeft } from './pending-votes.js';
import { toFormAction } from './form-draft.js';
import { toOneLine } from '../ui/to-one-line.js';
import type { PendingVote } from './pending-vote.js';
import './pending-votes.css';

const t = texts.approvals;
const TICK_MS = 250;

interface PendingVotesBarProps {
  readonly entries: readonly PendingVote[];
  onUndo(approvalId: string): void;
  /** Retries a vote whose response did not arrive. */
  onRetry(approvalId: string): void;
  /** Called when the user dismisses the message. */
  onDismiss(entry: PendingVote): void;
  /** Shows the approval of a vote that was not counted. */
  onOpen(entry: PendingVote): void;
}

/** Pending votes with undo buttons. */
export function PendingVotesBar({ entries, ...callbacks }: PendingVotesBarProps) {
  return (
    <section className="cs-pending-votes" aria-label={t.pendingVotes.label} hidden={entries.length === 0}>
      {entries.map((entry) => (
        <PendingVoteLine key={entry.approval.approvalId} entry={entry} {...callbacks} />
      ))}
    </section>
  );
}

function PendingVoteLine({
  entry,
  onUndo,
  onRetry,
  onDismiss,
  onOpen,
}: Omit<PendingVotesBarProps, 'entries'> & { readonly entry: PendingVote }) {
  const { approval, draft, state, sendAt, error, forget } = entry;
  const { approvalId } = approval;
  const undoKeys = useActionKeys('inbox.undo');
  const remainingMs = useTimeLeft(sendAt, state === 'undoable');
  const actionText = t.pendingVotes.inProgress[toFormAction(draft)];
  const title = toOneLine(approval.title, 80);
  const hasFailed = state === 'refused' || state === 'changed' || state === 'unconfirmed';
  const message = {
    undoable: t.pendingVotes.undoable(actionText, title, getSecondsLeft(sendAt, sendAt - remainingMs)),
    sending: (entry.opensSigningDialog ? t.pendingVotes.signing : t.pendingVotes.sending)(actionText, title),
    unconfirmed: t.pendingVotes.unconfirmed(actionText, title),
    refused: t.pendingVotes.refused(actionText, title, toUserMessage(error)),
    changed: t.pendingVotes.changed(actionText, title, toUserMessage(error)),
  }[state];
  return (
    <Paper
      withBorder
      shadow="md"
      p="xs"
      role={hasFailed ? 'alert' : 'group'}
      aria-label={hasFailed ? undefined : title}
    >
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <Text size="sm" style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
          {message}
        </Text>
        <Group gap="xs" wrap="nowrap">
          {state === 'undoable' && (
            <Button
              size="compact-sm"
              variant="light"
              rightSection={undoKeys === undefined ? undefined : <Keys keys={undoKeys} />}
              onClick={() => onUndo(approvalId)}
            >
              {t.actions.undo}
            </Button>
          )}
          {state === 'unconfirmed' && (
            <Button size="compact-sm" onClick={() => onRetry(approvalId)}>
              {t.actions.retry}
            </Button>
          )}
          {(state === 'refused' || state === 'changed') && (
            <Button size="compact-sm" onClick={() => onOpen(entry)}>
              {t.pendingVotes.review}
            </Button>
          )}
          {(state === 'refused' || state === 'changed' || (state === 'unconfirmed' && forget !== undefined)) && (
            <Button size="compact-sm" variant="default" onClick={() => onDismiss(entry)}>
              {state === 'unconfirmed' ? t.actions.dismissLost : t.actions.dismiss}
            </Button>
          )}
        </Group>
      </Group>
      {(state === 'undoable' || state === 'sending') && (
        <Progress
          mt={6}
          size="xs"
          value={state === 'undoable' ? 100 - (remainingMs / UNDO_WINDOW_MS) * 100 : 100}
          animated={state === 'sending'}
          aria-label={message}
        />
      )}
    </Paper>
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
