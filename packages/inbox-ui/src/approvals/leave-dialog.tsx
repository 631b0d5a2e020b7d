import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { PendingVote } from '../inbox/index.js';
import { texts } from '../texts/index.js';
import { setLeavePrompt } from './leave-session.js';

const t = texts.leaveWithVotes;

interface LeaveDialogProps {
  readonly entries: readonly PendingVote[];
  /** Undoes the votes that are in their undo window. */
  onDiscard(): unknown;
}

/**
 * Asks for confirmation before the user signs out or changes servers with pending votes, and lists the votes that would
 * be discarded.
 */
export function LeaveDialog({ entries, onDiscard }: LeaveDialogProps) {
  const [leave, setLeave] = useState<() => void>();
  useEffect(() => setLeavePrompt((requestedLeave) => setLeave(() => requestedLeave)), []);
  const close = (): void => setLeave(undefined);
  const undoableCount = entries.filter(({ state }) => state === 'undoable').length;
  const sendingCount = entries.filter(({ state }) => state === 'sending' || state === 'unconfirmed').length;
  return (
    <Modal opened={leave !== undefined} onClose={close} title={t.title} transitionProps={{ duration: 0 }} centered>
      <Stack>
        {undoableCount > 0 && <Text size="sm">{t.waiting(undoableCount)}</Text>}
        {sendingCount > 0 && <Text size="sm">{t.sending(sendingCount)}</Text>}
        {undoableCount + sendingCount === 0 && <Text size="sm">{t.done}</Text>}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            {t.stay}
          </Button>
          <Button
            color={undoableCount > 0 ? 'red' : undefined}
            onClick={() => {
              onDiscard();
              close();
              leave?.();
            }}
          >
            {undoableCount > 0 ? t.discard : t.leave}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
