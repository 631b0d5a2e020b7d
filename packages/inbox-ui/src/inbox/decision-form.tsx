import { Alert, Button, Group, Stack, Text, Textarea, Title } from '@mantine/core';
import type { Approval } from '@countersign/contract';
import { useEffect, useId, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { texts } from '../texts/index.js';
import { compareJson } from './compare-rounds.js';
import { ConfirmButton } from './confirm-button.js';
import { VoteConfirmDialog } from './vote-confirm-dialog.js';
import { getDecisionRequirements } from './decision-requirements.js';
import { EditArguments } from './edit-arguments.js';
import { toDecisionDraft, type FormDraft } from './form-draft.js';
import { useInboxHost } from './inbox-host.js';
import type { DecisionDraft } from './pending-vote.js';
import { explainUnavailableDecision } from './vote-permissions.js';

const t = texts.approvals.form;
const SEND_LABELS = {
  approve: t.sendApprove,
  reject: t.sendReject,
  request_changes: t.sendRequestChanges,
  edit: t.sendEdit,
} as const;
const COLORS = { approve: undefined, edit: undefined, reject: 'red', request_changes: 'orange' } as const;

interface DecisionFormProps {
  /** The approval as displayed: exactly this is decided on. */
  readonly approval: Approval;
  /** Names of the steps that follow an approval, if known. */
  readonly nextSteps: readonly string[];
  readonly form: FormDraft;
  /** Keys of evidence that has been opened. */
  readonly openedKeys: ReadonlySet<string>;
  /** Whether the whole subject has been in view. */
  readonly isSubjectSeen: boolean;
  /** Whether the form takes the focus when it appears. Not if it appears without an action of the user. */
  readonly takesFocus: boolean;
  onChange(form: FormDraft): void;
  onSend(draft: DecisionDraft): void;
  onCancel(): void;
}

/** Form for the comment of a decision. It shows the requirements that are not met yet. */
export function DecisionForm({
  approval,
  nextSteps,
  form,
  openedKeys,
  isSubjectSeen,
  takesFocus,
  onChange,
  onSend,
  onCancel,
}: DecisionFormProps) {
  const host = useInboxHost();
  const { subject } = approval;
  const { act, comment, argumentsText } = form;
  const id = useId();
  const argumentsId = `arguments${id.replace(/[^\w-]/g, '')}`;
  /** The decision that awaits confirmation. */
  const [unconfirmedDraft, setUnconfirmedDraft] = useState<DecisionDraft>();
  const [hasSubmitted, setHasSubmitted] = useState(false);
  const [argumentsError, setArgumentsError] = useState<string>();
  const heading = useRef<HTMLHeadingElement>(null);
  const commentField = useRef<HTMLTextAreaElement>(null);
  const isEdit = act === 'edit' && subject.kind === 'tool_call';
  const { commentMissing, unopenedEvidence, needsConfirmation } = getDecisionRequirements(
    approval,
    act === 'edit' ? 'approve' : act,
    comment,
    openedKeys,
  );
  const unavailable = act === 'edit' ? undefined : explainUnavailableDecision(approval, act);
  const ready = !commentMissing && unopenedEvidence.length === 0 && unavailable === undefined;

  /** The confirmation covers the current form content; after a change it is requested again. */
  const change = (next: FormDraft): void => {
    setUnconfirmedDraft(undefined);
    onChange(next);
  };

  // Focuses a text field, never the button: further typing goes into the comment and does not vote.
  useEffect(() => {
    setUnconfirmedDraft(undefined);
    if (!takesFocus) return;
    if (act === 'edit') heading.current?.focus();
    else commentField.current?.focus();
  }, [act, takesFocus]);

  const submit = (): void => {
    setHasSubmitted(true);
    const draft = toDecisionDraft(form);
    if (!ready || draft === undefined) return;
    if (needsConfirmation) setUnconfirmedDraft(draft);
    else onSend(draft);
  };
  /** Submits edited arguments. They always require a confirmation, which shows the changes. */
  const submitEdit = (value: unknown): void => {
    setHasSubmitted(true);
    const draft = toDecisionDraft({ ...form, argumentsText: JSON.stringify(value) });
    const isUnchanged =
      draft?.editedArguments !== undefined && compareJson(subject.inputs, draft.editedArguments).changes.length === 0;
    setArgumentsError(draft === undefined ? t.argumentsInvalid : isUnchanged ? t.argumentsSame : undefined);
    if (ready && draft !== undefined && !isUnchanged) setUnconfirmedDraft(draft);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // Enter in an open option list closes that list.
    const isListOpen = (event.target as Element).getAttribute('aria-expanded') === 'true';
    if (event.key === 'Escape' && unconfirmedDraft === undefined && !isListOpen) {
      event.stopPropagation();
      onCancel();
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      // If the key is held down, its repetitions would reach the next form or dialog.
      if (event.repeat) return;
      if (isEdit) (document.getElementById(argumentsId) as HTMLFormElement | null)?.requestSubmit();
      else submit();
    }
  };

  const content = (
    <>
      <Stack gap="xs">
        <Title order={3} size="h5" id={id} ref={heading} tabIndex={-1}>
          {t.title[act]}
        </Title>
        {isEdit && (
          <EditArguments
            subject={subject}
            id={argumentsId}
            newRoundNote={
              approval.signatureRequired
                ? texts.approvals.signing.edit[host.signing.kind === 'elsewhere' ? 'elsewhere' : 'here']
                : undefined
            }
            text={argumentsText}
            onText={(text) => {
              setArgumentsError(undefined);
              change({ ...form, argumentsText: text });
            }}
            onSubmit={submitEdit}
          />
        )}
        {argumentsError !== undefined && (
          <Text size="sm" c="red" role="alert">
            {argumentsError}
          </Text>
        )}
        <Textarea
          ref={commentField}
          className="cs-decision-comment"
          label={act === 'request_changes' ? t.comment : t.commentOptional}
          description={t.commentHint[act === 'edit' ? 'approve' : act]}
          required={act === 'request_changes'}
          error={hasSubmitted && commentMissing ? t.commentMissing : undefined}
          value={comment}
          maxLength={10_000}
          autosize
          minRows={act === 'approve' ? 1 : 2}
          maxRows={8}
          onChange={(event) => change({ ...form, comment: event.currentTarget.value })}
        />
        {unavailable !== undefined && (
          <Alert color="yellow" p="xs">
            {unavailable}
          </Alert>
        )}
        {unopenedEvidence.length > 0 && (
          <Alert color="yellow" p="xs" role={hasSubmitted ? 'alert' : undefined}>
            {t.unopened(unopenedEvidence.join(', '))}
          </Alert>
        )}
        {act === 'approve' && !isSubjectSeen && (
          <Text size="sm" fw={600} id={`${id}-seen`}>
            {t.subjectNotSeen}
          </Text>
        )}
        <Group gap="xs">
          <ConfirmButton
            type="submit"
            form={isEdit ? argumentsId : undefined}
            color={COLORS[act]}
            aria-disabled={!ready}
            aria-describedby={act === 'approve' && !isSubjectSeen ? `${id}-seen` : undefined}
          >
            {SEND_LABELS[act]}
          </ConfirmButton>
          <Button variant="default" onClick={onCancel}>
            {texts.app.cancel}
          </Button>
        </Group>
        {/* Takes the place of the buttons that opened the form, so that a second click has no effect. */}
        <Text
          size="xs"
          c="dimmed"
          className="cs-decision-keys"
          onMouseDown={(event) => event.detail > 1 && event.preventDefault()}
        >
          {t.sendKeys}
        </Text>
      </Stack>
      <VoteConfirmDialog
        approval={approval}
        nextSteps={nextSteps}
        draft={unconfirmedDraft}
        onClose={() => setUnconfirmedDraft(undefined)}
        onConfirm={(draft) => {
          setUnconfirmedDraft(undefined);
          onSend(draft);
        }}
      />
    </>
  );
  // The arguments are a separate form, and forms cannot be nested.
  if (isEdit) {
    return (
      <div role="form" aria-labelledby={id} onKeyDown={onKeyDown}>
        {content}
      </div>
    );
  }
  return (
    <form
      aria-labelledby={id}
      noValidate
      onKeyDown={onKeyDown}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        submit();
      }}
    >
      {content}
    </form>
  );
}
