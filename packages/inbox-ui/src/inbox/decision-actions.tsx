import { Alert, Button, Group, Menu, Stack, Text, Tooltip } from '@mantine/core';
import type { Approval } from '@countersign/contract';
import { IconArrowBackUp, IconCheck, IconDots, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useActionKeys } from '../keys/keys-provider.js';
import { texts } from '../texts/index.js';
import { toOneLine } from '../ui/to-one-line.js';
import type { EngineSupport } from './engine-support.js';
import type { FormAction } from './form-draft.js';
import { useInboxHost } from './inbox-host.js';
import { canVote, explainUnavailableDecision, needsSigningKey } from './vote-permissions.js';
import { SignNotice } from './sign-notice.js';
import { describeMissingVotes, explainDecisionBlockers } from './decision-status.js';

const t = texts.approvals;

interface DecisionActionsProps {
  readonly approval: Approval;
  /** Whether a vote on the approval is pending. */
  readonly busy: boolean;
  onAct(act: FormAction): void;
  readonly engine: EngineSupport;
  /** Who can decide instead, for users who may not decide. */
  readonly otherVoters?: ReactNode;
  /** If omitted, delegation is not offered. */
  onDelegate?: (() => void) | undefined;
  onReassign?: (() => void) | undefined;
  onSnooze?: (() => void) | undefined;
}

/** The actions that the user may perform on an approval. Forbidden actions are hidden, with an explanation. */
export function DecisionActions({
  approval,
  busy,
  onAct,
  engine,
  otherVoters,
  onDelegate,
  onReassign,
  onSnooze,
}: DecisionActionsProps) {
  const { canDecide, status, subject } = approval;
  const reasons = explainDecisionBlockers(approval);
  const missingVotes = describeMissingVotes(approval);
  const host = useInboxHost();
  const keys = {
    approve: useActionKeys('inbox.approve'),
    request_changes: useActionKeys('inbox.requestChanges'),
    reject: useActionKeys('inbox.reject'),
  };
  const isBlockedOffline = host.offline === true && status === 'pending';
  const canDecideNow = status === 'pending' && canDecide.allowed && !isBlockedOffline;
  const canVoteNow = canVote(approval, host);
  const isToolCall = canDecideNow && subject.kind === 'tool_call';
  // A substitute cannot delegate.
  const delegate = canDecideNow && approval.inPlaceOf === null ? onDelegate : undefined;
  const reassign = status === 'pending' && !isBlockedOffline ? onReassign : undefined;
  const canEdit = isToolCall && engine.supports('call_edits');
  const openDelegate = engine.supports('approval_delegation') ? delegate : undefined;
  const openReassign = engine.supports('approval_reassignment') ? reassign : undefined;
  const engineLimit = engine.explainMissing([
    ...(isToolCall ? (['call_edits'] as const) : []),
    ...(delegate !== undefined ? (['approval_delegation'] as const) : []),
    ...(reassign !== undefined ? (['approval_reassignment'] as const) : []),
  ]);
  const openSnooze = canDecideNow ? onSnooze : undefined;
  return (
    <Stack gap="xs">
      {reasons.length > 0 && (
        <Alert color="gray" p="xs">
          {reasons.map((reason) => (
            <Text size="sm" key={reason}>
              {reason}
            </Text>
          ))}
          {otherVoters}
        </Alert>
      )}
      {isBlockedOffline && (
        <Alert color="yellow" p="xs">
          <Text size="sm">{t.offline}</Text>
        </Alert>
      )}
      {needsSigningKey(approval, host) && <SignNotice approvalId={approval.approvalId} signing={host.signing} />}
      {canDecideNow && approval.inPlaceOf !== null && (
        <Text size="sm">{t.decidesFor(toOneLine(approval.inPlaceOf, 60))}</Text>
      )}
      {canDecideNow && missingVotes !== '' && <Text size="sm">{missingVotes}</Text>}
      <Group gap="xs" className="cs-decision-actions">
        {canVoteNow && (
          <>
            <Button
              leftSection={<IconCheck size={16} aria-hidden />}
              disabled={busy}
              onClick={() => onAct('approve')}
              aria-keyshortcuts={keys.approve}
            >
              {t.actions.approve}
            </Button>
            <RequestChangesButton
              approval={approval}
              busy={busy}
              keys={keys.request_changes}
              onClick={() => onAct('request_changes')}
            />
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
        {(canEdit || openDelegate !== undefined || openReassign !== undefined || openSnooze !== undefined) && (
          <Menu position="top-end">
            <Menu.Target>
              <Button variant="default" px="xs" disabled={busy} aria-label={t.actions.more}>
                <IconDots size={16} aria-hidden />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {openSnooze !== undefined && <Menu.Item onClick={openSnooze}>{t.actions.snooze}</Menu.Item>}
              {canEdit && <Menu.Item onClick={() => onAct('edit')}>{t.actions.edit}</Menu.Item>}
              {openDelegate !== undefined && <Menu.Item onClick={openDelegate}>{t.actions.delegate}</Menu.Item>}
              {openReassign !== undefined && <Menu.Item onClick={openReassign}>{t.actions.reassign}</Menu.Item>}
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
      {engineLimit !== undefined && (
        <Text size="xs" c="dimmed">
          {engineLimit}
        </Text>
      )}
    </Stack>
  );
}

/** If changes cannot be requested, the button stays in its position, and says why. */
function RequestChangesButton({
  approval,
  busy,
  keys,
  onClick,
}: {
  readonly approval: Approval;
  readonly busy: boolean;
  readonly keys: string | undefined;
  onClick(): void;
}) {
  const reason = explainUnavailableDecision(approval, 'request_changes');
  const icon = <IconArrowBackUp size={16} aria-hidden />;
  if (reason === undefined) {
    return (
      <Button variant="default" leftSection={icon} disabled={busy} onClick={onClick} aria-keyshortcuts={keys}>
        {t.actions.request_changes}
      </Button>
    );
  }
  return (
    <Tooltip label={reason} multiline maw={280} events={{ hover: true, focus: true, touch: true }}>
      <Button
        variant="default"
        leftSection={icon}
        data-disabled
        aria-disabled
        aria-description={reason}
        onClick={(event) => event.preventDefault()}
      >
        {t.actions.request_changes}
      </Button>
    </Tooltip>
  );
}
