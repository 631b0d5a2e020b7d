import { Alert, Button, Group, Stack, Text, Textarea, Title } from '@mantine/core';
import type { Approval } from '@countersign/contract';
import { useEffect, useId, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { texts } from '../texts/index.js';
import { compareJson } from './compare-rounds.js';
import { ConfirmButton } from './confirm-button.js';
import { VoteConfirmDialog } from './vote-confirm-dialog.js';
import { requirementsFor } from './decision-requirements.js';
import { EditArguments } from './edit-arguments.js';
import { draftOf, type FormDraft } from './form-draft.js';
import { useInboxHost } from './inbox-host.js';
import type { DecisionDraft } from './pending-vote.js';

const t = texts.approvals.form;
const SEND = {
  approve: t.sendApprove,
  reject: t.sendReject,
  request_changes: t.sendRequestChanges,
  edit: t.sendEdit,
} as const;
const COLORS = { approve: undefined, edit: undefined, reject: 'red', request_changes: 'orange' } as const;

interface DecisionFormProps {
  /** The approval as displayed: exactly this is decided on. */
  readonly approval: Approval;
  readonly form: FormDraft;
  /** Keys of evidence that has been opened. */
  readonly opened: ReadonlySet<string>;
  onChange(form: FormDraft): void;
  onSend(draft: DecisionDraft): void;
  onCancel(): void;
}

/** Form for the comment of a decision, with what is still missing. */
export function DecisionForm({ approval, form, opened, onChange, onSend, onCancel }: DecisionFormProps) {
  const host = useInboxHost();
  const { subject } = approval;
  const { act, comment, argumentsText } = form;
  const id = useId();
  const argumentsId = `arguments${id.replace(/[^\w-]/g, '')}`;
  /** The decision that awaits confirmation. */
  const [confirming, setConfirming] = useState<DecisionDraft>();
  const [tried, setTried] = useState(false);
  const [fault, setFault] = useState<string>();
  const heading = useRef<HTMLHeadingElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const edits = act === 'edit' && subject.kind === 'tool_call';
  const { commentMissing, unopened, confirm } = requirementsFor(
    approval,
    act === 'edit' ? 'approve' : act,
    comment,
    opened,
  );
  const ready = !commentMissing && unopened.length === 0;

  /** The confirmation covers the current form content; after a change it is requested again. */
  const change = (next: FormDraft): void => {
    setConfirming(undefined);
    onChange(next);
  };

  // Focuses a text field, never the button: further typing goes into the comment and does not vote.
  useEffect(() => {
    setConfirming(undefined);
    if (act === 'edit') heading.current?.focus();
    else field.current?.focus();
  }, [act]);

  const submit = (): void => {
    setTried(true);
    const draft = draftOf(form);
    if (!ready || draft === undefined) return;
    if (confirm) setConfirming(draft);
    else onSend(draft);
  };
  /** Edited arguments are always confirmed, with their changes. */
  const submitEdit = (value: unknown): void => {
    setTried(true);
    const draft = draftOf({ ...form, argumentsText: JSON.stringify(value) });
    const nothing =
      draft?.editedArguments !== undefined && compareJson(subject.inputs, draft.editedArguments).changes.length === 0;
    setFault(draft === undefined ? t.argumentsInvalid : nothing ? t.argumentsSame : undefined);
    if (ready && draft !== undefined && !nothing) setConfirming(draft);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // Enter in an open option list closes that list.
    const within = (event.target as Element).getAttribute('aria-expanded') === 'true';
    if (event.key === 'Escape' && confirming === undefined && !within) {
      event.stopPropagation();
      onCancel();
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      // A held key would repeat into whatever comes next.
      if (event.repeat) return;
      if (edits) (document.getElementById(argumentsId) as HTMLFormElement | null)?.requestSubmit();
      else submit();
    }
  };

  const content = (
    <>
      <Stack gap="xs">
        <Title order={3} size="h5" id={id} ref={heading} tabIndex={-1}>
          {t.title[act]}
        </Title>
        {edits && (
          <EditArguments
            subject={subject}
            id={argumentsId}
            newRound={
              approval.signatureRequired
                ? texts.approvals.signing.edit[host.signing.kind === 'elsewhere' ? 'elsewhere' : 'here']
                : undefined
            }
            text={argumentsText}
            onText={(text) => {
              setFault(undefined);
              change({ ...form, argumentsText: text });
            }}
            onSubmit={submitEdit}
          />
        )}
        {fault !== undefined && (
          <Text size="sm" c="red" role="alert">
            {fault}
          </Text>
        )}
        <Textarea
          ref={field}
          label={act === 'request_changes' ? t.comment : t.commentOptional}
          description={t.commentHint[act === 'edit' ? 'approve' : act]}
          required={act === 'request_changes'}
          error={tried && commentMissing ? t.commentMissing : undefined}
          value={comment}
          maxLength={10_000}
          autosize
          minRows={2}
          maxRows={8}
          onChange={(event) => change({ ...form, comment: event.currentTarget.value })}
        />
        {unopened.length > 0 && (
          <Alert color="yellow" p="xs" role={tried ? 'alert' : undefined}>
            {t.unopened(unopened.join(', '))}
          </Alert>
        )}
        <Group gap="xs">
          <ConfirmButton
            type="submit"
            form={edits ? argumentsId : undefined}
            color={COLORS[act]}
            aria-disabled={!ready}
          >
            {SEND[act]}
          </ConfirmButton>
          <Button variant="default" onClick={onCancel}>
            {texts.app.cancel}
          </Button>
        </Group>
        {/* In place of the opening buttons: the second click of a double click hits nothing and moves no focus. */}
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
        draft={confirming}
        onClose={() => setConfirming(undefined)}
        onConfirm={(draft) => {
          setConfirming(undefined);
          onSend(draft);
        }}
      />
    </>
  );
  // The arguments are a separate form, and forms cannot be nested.
  if (edits) {
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
