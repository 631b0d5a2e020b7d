import { Button, Group, Paper, Progress, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Keys } from '../keys/keys-help.js';
import { useKeysOf } from '../keys/keys-provider.js';
import { texts } from '../texts/index.js';
import { toUserMessage } from '../ui/to-user-message.js';
import { UNDO_WINDOW_MS, secondsLeft } from './pending-votes.js';
import { actOf } from './form-draft.js';
import { oneLine } from '../ui/one-line.js';
import type { PendingVote } from './pending-vote.js';

const t = texts.approvals;
const TICK_MS = 250;

interface OutboxBarProps {
  readonly entries: readonly PendingVote[];
  onUndo(approvalId: string): void;
  /** Retries a vote whose response did not arrive. */
  onSettle(approvalId: string): void;
  /** Called when the user dismisses the message. */
  onDismiss(entry: PendingVote): void;
  /** Shows the approval of a vote that was not counted. */
  onLook(entry: PendingVote): void;
}

/** Pending votes with undo buttons. */
export function PendingVotesBar({ entries, ...callbacks }: OutboxBarProps) {
  return (
    <section className="cs-outbox" aria-label={t.outbox.label} hidden={entries.length === 0}>
      {entries.map((entry) => (
        <OutboxLine key={entry.approval.approvalId} entry={entry} {...callbacks} />
      ))}
    </section>
  );
}

function OutboxLine({
  entry,
  onUndo,
  onSettle,
  onDismiss,
  onLook,
}: Omit<OutboxBarProps, 'entries'> & { readonly entry: PendingVote }) {
  const { approval, draft, state, sendAt, error, forget } = entry;
  const { approvalId } = approval;
  const undoKeys = useKeysOf('inbox.undo');
  const left = useTimeLeft(sendAt, state === 'grace');
  const what = t.outbox.doing[actOf(draft)];
  const title = oneLine(approval.title, 80);
  const failed = state === 'refused' || state === 'changed' || state === 'unsettled';
  const said = {
    grace: t.outbox.grace(what, title, secondsLeft(sendAt, sendAt - left)),
    sending: (entry.signs ? t.outbox.signing : t.outbox.sending)(what, title),
    unsettled: t.outbox.unsettled(what, title),
    refused: t.outbox.refused(what, title, toUserMessage(error)),
    changed: t.outbox.changed(what, title, toUserMessage(error)),
  }[state];
  return (
    <Paper withBorder shadow="md" p="xs" role={failed ? 'alert' : 'group'} aria-label={failed ? undefined : title}>
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <Text size="sm" style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
          {said}
        </Text>
        <Group gap="xs" wrap="nowrap">
          {state === 'grace' && (
            <Button
              size="compact-sm"
              variant="light"
              rightSection={undoKeys === undefined ? undefined : <Keys keys={undoKeys} />}
              onClick={() => onUndo(approvalId)}
            >
              {t.actions.undo}
            </Button>
          )}
          {state === 'unsettled' && (
            <Button size="compact-sm" onClick={() => onSettle(approvalId)}>
              {t.actions.settle}
            </Button>
          )}
          {(state === 'refused' || state === 'changed') && (
            <Button size="compact-sm" onClick={() => onLook(entry)}>
              {t.outbox.look}
            </Button>
          )}
          {(state === 'refused' || state === 'changed' || (state === 'unsettled' && forget !== undefined)) && (
            <Button size="compact-sm" variant="default" onClick={() => onDismiss(entry)}>
              {state === 'unsettled' ? t.actions.dismissLost : t.actions.dismiss}
            </Button>
          )}
        </Group>
      </Group>
      {(state === 'grace' || state === 'sending') && (
        <Progress
          mt={6}
          size="xs"
          value={state === 'grace' ? 100 - (left / UNDO_WINDOW_MS) * 100 : 100}
          animated={state === 'sending'}
          aria-label={said}
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
