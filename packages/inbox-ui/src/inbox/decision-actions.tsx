import { Alert, Button, Group, Menu, Stack, Text } from '@mantine/core';
import type { Approval } from '@countersign/contract';
import { IconArrowBackUp, IconCheck, IconDots, IconX } from '@tabler/icons-react';
import { useKeysOf } from '../keys/keys-provider.js';
import { texts } from '../texts/index.js';
import { oneLine } from '../ui/one-line.js';
import type { FormAct } from './form-draft.js';
import { useInboxHost } from './inbox-host.js';
import { needsSigningKey, canVote } from './vote-permissions.js';
import { SignNotice } from './sign-notice.js';
import { missingVotesText, whyNot } from './decision-status.js';

const t = texts.approvals;

interface DecisionActionsProps {
  readonly approval: Approval;
  /** Whether a vote on the approval is pending. */
  readonly busy: boolean;
  onAct(act: FormAct): void;
  /** If omitted, delegation is not offered. */
  onDelegate?: (() => void) | undefined;
  onReassign?: (() => void) | undefined;
  onSnooze?: (() => void) | undefined;
}

/** The actions that the user may perform on an approval. Forbidden actions are hidden, with an explanation. */
export function DecisionActions({ approval, busy, onAct, onDelegate, onReassign, onSnooze }: DecisionActionsProps) {
  const { canDecide, status, subject } = approval;
  const reasons = whyNot(approval);
  const missing = missingVotesText(approval);
  const host = useInboxHost();
  const keys = {
    approve: useKeysOf('inbox.approve'),
    request_changes: useKeysOf('inbox.requestChanges'),
    reject: useKeysOf('inbox.reject'),
  };
  const offline = host.offline === true && status === 'pending';
  const mayDecide = status === 'pending' && canDecide.allowed && !offline;
  const votes = canVote(approval, host);
  const edits = mayDecide && subject.kind === 'tool_call';
  // A substitute cannot delegate.
  const delegates = mayDecide && approval.inPlaceOf === null ? onDelegate : undefined;
  const reassigns = status === 'pending' && !offline ? onReassign : undefined;
  const snoozes = mayDecide ? onSnooze : undefined;
  return (
    <Stack gap="xs">
      {reasons.length > 0 && (
        <Alert color="gray" p="xs">
          {reasons.map((reason) => (
            <Text size="sm" key={reason}>
              {reason}
            </Text>
          ))}
        </Alert>
      )}
      {offline && (
        <Alert color="yellow" p="xs">
          <Text size="sm">{t.offline}</Text>
        </Alert>
      )}
      {needsSigningKey(approval, host) && <SignNotice approvalId={approval.approvalId} signing={host.signing} />}
      {mayDecide && approval.inPlaceOf !== null && (
        <Text size="sm">{t.decidesFor(oneLine(approval.inPlaceOf, 60))}</Text>
      )}
      {mayDecide && missing !== '' && <Text size="sm">{missing}</Text>}
      <Group gap="xs" className="cs-decision-actions">
        {votes && (
          <>
            <Button
              leftSection={<IconCheck size={16} aria-hidden />}
              disabled={busy}
              onClick={() => onAct('approve')}
              aria-keyshortcuts={keys.approve}
            >
              {t.actions.approve}
            </Button>
            <Button
              variant="default"
              leftSection={<IconArrowBackUp size={16} aria-hidden />}
              disabled={busy}
              onClick={() => onAct('request_changes')}
              aria-keyshortcuts={keys.request_changes}
            >
              {t.actions.request_changes}
            </Button>
            <Button
              variant="default"
              leftSection={<IconX size={16} aria-hidden />}
              disabled={busy}
              onClick={() => onAct('reject')}
              aria-keyshortcuts={keys.reject}
            >
              {t.actions.reject}
            </Button>
          </>
        )}
        {(edits || delegates !== undefined || reassigns !== undefined || snoozes !== undefined) && (
          <Menu position="top-end">
            <Menu.Target>
              <Button variant="default" px="xs" disabled={busy} aria-label={t.actions.more}>
                <IconDots size={16} aria-hidden />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {snoozes !== undefined && <Menu.Item onClick={snoozes}>{t.actions.snooze}</Menu.Item>}
              {edits && <Menu.Item onClick={() => onAct('edit')}>{t.actions.edit}</Menu.Item>}
              {delegates !== undefined && <Menu.Item onClick={delegates}>{t.actions.delegate}</Menu.Item>}
              {reassigns !== undefined && <Menu.Item onClick={reassigns}>{t.actions.reassign}</Menu.Item>}
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
    </Stack>
  );
}
