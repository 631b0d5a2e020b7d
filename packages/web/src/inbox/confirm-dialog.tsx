import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { Approval } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { effectOfApproval } from './effect-of-approval.js';

const t = texts.approvals.confirm;

interface ConfirmDialogProps {
  readonly opened: boolean;
  readonly approval: Approval;
  onClose(): void;
  onConfirm(): void;
}

/** Asks once more where the risk is high, and says again what would happen. Whoever is quick with Enter says no. */
export function ConfirmDialog({ opened, approval, onClose, onConfirm }: ConfirmDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={t.title(texts.risk[approval.riskLevel])} centered>
      <Stack>
        <Text size="sm">{t.question}</Text>
        <p className="cs-effect">{effectOfApproval(approval)}</p>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t.no}
          </Button>
          <Button color="red" onClick={onConfirm}>
            {t.yes}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
