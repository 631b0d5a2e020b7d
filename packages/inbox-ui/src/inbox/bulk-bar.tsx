import { Button, Group, Paper, Text } from '@mantine/core';
import type { InboxItem } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { findBulkVoteBlocker } from './find-bulk-vote-blocker.js';
import { useInboxHost } from './inbox-host.js';

const t = texts.approvals.bulk;

interface BulkBarProps {
  readonly approvals: readonly InboxItem[];
  /** Whether the approvals are being loaded for the dialog. */
  readonly isBusy: boolean;
  onApprove(): void;
  onClear(): void;
}

/** Bar with the actions for the selected approvals; explains why an action is unavailable. */
export function BulkBar({ approvals, isBusy, onApprove, onClear }: BulkBarProps) {
  const reason = findBulkVoteBlocker(approvals, useInboxHost());
  if (approvals.length === 0) return null;
  return (
    <Paper withBorder p="xs" m="xs" role="group" aria-label={t.chosen(approvals.length)}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">{reason ?? t.chosen(approvals.length)}</Text>
        <Group gap="xs">
          <Button size="compact-sm" loading={isBusy} disabled={reason !== undefined} onClick={onApprove}>
            {t.approve(approvals.length)}
          </Button>
          <Button size="compact-sm" variant="default" onClick={onClear}>
            {t.clear}
          </Button>
        </Group>
      </Group>
    </Paper>
  );
}
