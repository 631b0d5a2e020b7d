import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { Approval } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { escapeInvisible } from '../ui/escape-invisible.js';
import { ConfirmButton } from './confirm-button.js';
import { compareJson } from './compare-rounds.js';
import type { DecisionDraft } from './pending-vote.js';
import { describeEffect } from './describe-effect.js';
import { JsonChangesTable } from './json-changes.js';
import { isHighRisk } from './decision-requirements.js';

const t = texts.approvals.confirm;

interface VoteConfirmDialogProps {
  readonly approval: Approval;
  /** The decision to confirm; `undefined`: the dialog is closed. */
  readonly draft: DecisionDraft | undefined;
  onClose(): void;
  onConfirm(draft: DecisionDraft): void;
}

/**
 * Asks for confirmation if the risk is high or the arguments were edited, and shows the effect and the changes. A quick
 * Enter declines. The dialog opens and closes without a transition: a dialog that fades out would swallow a click.
 */
export function VoteConfirmDialog({ approval, draft, onClose, onConfirm }: VoteConfirmDialogProps) {
  const edited = draft?.editedArguments;
  return (
    <Modal
      opened={draft !== undefined}
      onClose={onClose}
      transitionProps={{ duration: 0 }}
      title={edited === undefined ? t.title(texts.risk[approval.riskLevel]) : t.editTitle}
      size={edited === undefined ? 'md' : 'lg'}
      centered
    >
      <Stack>
        <Text size="sm">{edited === undefined ? t.question : t.editQuestion}</Text>
        <p className="cs-effect">
          {describeEffect(
            edited === undefined ? approval : { ...approval, subject: withArguments(approval.subject, edited) },
          )}
        </p>
        {edited !== undefined && (
          <section aria-label={t.changes}>
            <Text size="sm" fw={600} mb={4}>
              {t.changes}
            </Text>
            <JsonChangesTable {...compareJson(approval.subject.inputs, { ...edited })} />
          </section>
        )}
        {draft !== undefined && draft.comment.trim() !== '' && (
          <section aria-label={t.comment}>
            <Text size="sm" fw={600} mb={4}>
              {t.comment}
            </Text>
            <pre className="cs-long-text">{escapeInvisible(draft.comment)}</pre>
          </section>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t.no}
          </Button>
          <ConfirmButton
            color={isHighRisk(approval) ? 'red' : undefined}
            onClick={() => draft !== undefined && onConfirm(draft)}
          >
            {edited === undefined ? t.yes : t.yesEdit}
          </ConfirmButton>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Only the server determines where an edited call connects, so the hosts are left out. */
function withArguments(
  subject: Approval['subject'],
  edited: NonNullable<DecisionDraft['editedArguments']>,
): Approval['subject'] {
  return subject.kind === 'tool_call' ? { ...subject, inputs: { ...edited }, hosts: [] } : subject;
}
