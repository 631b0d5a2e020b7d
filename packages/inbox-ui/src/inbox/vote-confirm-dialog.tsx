import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { summarizeArguments, type Approval } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { escapeInvisible } from '../ui/escape-invisible.js';
import { ConfirmButton } from './confirm-button.js';
import { compareJson } from './compare-rounds.js';
import type { DecisionDraft } from './pending-vote.js';
import { describeEffect } from './describe-effect.js';
import { JsonChangesTable } from './json-changes-table.js';
import { isHighRisk } from './decision-requirements.js';
import { RequestLine } from './request-line.js';

const t = texts.approvals.confirm;

interface VoteConfirmDialogProps {
  readonly approval: Approval;
  /** Names of the steps that follow an approval, if known. */
  readonly nextSteps: readonly string[];
  /** The decision to confirm; `undefined`: the dialog is closed. */
  readonly draft: DecisionDraft | undefined;
  onClose(): void;
  onConfirm(draft: DecisionDraft): void;
}

/**
 * Asks for confirmation if the risk is high or the arguments were edited, and shows the effect and the changes. The
 * cancel button has the focus, so that an accidental Enter does not confirm. The dialog has no transition, because it
 * would intercept clicks while it fades out.
 */
export function VoteConfirmDialog({ approval, nextSteps, draft, onClose, onConfirm }: VoteConfirmDialogProps) {
  const editedArguments = draft?.editedArguments;
  return (
    <Modal
      opened={draft !== undefined}
      onClose={onClose}
      transitionProps={{ duration: 0 }}
      title={editedArguments === undefined ? t.title(texts.risk[approval.riskLevel]) : t.editTitle}
      size={editedArguments === undefined ? 'md' : 'lg'}
      centered
    >
      <Stack>
        <Text size="sm">{editedArguments === undefined ? t.question : t.editQuestion}</Text>
        <Text size="sm">
          <RequestLine approval={approval} />
        </Text>
        <p className="cs-effect">
          {describeEffect(
            editedArguments === undefined
              ? approval
              : {
                  ...approval,
                  subject: withArguments(approval.subject, editedArguments),
                  summary: summarizeArguments({ ...editedArguments }),
                },
            nextSteps,
          )}
        </p>
        {editedArguments !== undefined && (
          <section aria-label={t.changes}>
            <Text size="sm" fw={600} mb={4}>
              {t.changes}
            </Text>
            <JsonChangesTable {...compareJson(approval.subject.inputs, { ...editedArguments })} />
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
            {editedArguments === undefined ? t.yes : t.yesEdit}
          </ConfirmButton>
        </Group>
      </Stack>
    </Modal>
  );
}

/**
 * Returns the subject with the edited arguments. Leaves out the hosts, because only the server can determine which
 * hosts an edited call contacts.
 */
function withArguments(
  subject: Approval['subject'],
  editedArguments: NonNullable<DecisionDraft['editedArguments']>,
): Approval['subject'] {
  return subject.kind === 'tool_call' ? { ...subject, inputs: { ...editedArguments }, hosts: [] } : subject;
}
