import { Alert, Button, Group, JsonInput, Stack, Text, Textarea, Title } from '@mantine/core';
import type { Approval } from '@countersign/contract';
import { useEffect, useId, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { texts } from '../texts/index.js';
import { ConfirmDialog } from './confirm-dialog.js';
import { demandsOf } from './demands.js';
import { draftOf, type FormDraft } from './form-draft.js';
import type { DecisionDraft } from './outbox-entry.js';

const t = texts.approvals.form;
const SEND = { approve: t.sendApprove, reject: t.sendReject, request_changes: t.sendRequestChanges, edit: t.sendEdit } as const;
const COLORS = { approve: undefined, edit: undefined, reject: 'red', request_changes: 'orange' } as const;

interface DecisionFormProps {
  /** As it is shown: exactly this is decided on. */
  readonly approval: Approval;
  readonly form: FormDraft;
  /** Keys of evidence that has been opened. */
  readonly opened: ReadonlySet<string>;
  onChange(form: FormDraft): void;
  onSend(draft: DecisionDraft): void;
  onCancel(): void;
}

/** What one says with a decision, and what it still needs. */
export function DecisionForm({ approval, form, opened, onChange, onSend, onCancel }: DecisionFormProps) {
  const { act, comment, argumentsText } = form;
  const id = useId();
  const [confirming, setConfirming] = useState(false);
  const [tried, setTried] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const draft = draftOf(form);
  const { commentMissing, unopened, confirm } = demandsOf(approval, act === 'edit' ? 'approve' : act, comment, opened);
  const ready = draft !== undefined && !commentMissing && unopened.length === 0;

  // One key more approves what needs no words; all else begins with them.
  useEffect(() => {
    if (act === 'approve') button.current?.focus();
    else field.current?.focus();
  }, [act]);

  const submit = (): void => {
    setTried(true);
    if (!ready) return;
    if (confirm) setConfirming(true);
    else onSend(draft);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !confirming) {
      event.stopPropagation();
      onCancel();
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      submit();
    }
  };

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
      <Stack gap="xs">
        <Title order={3} size="h5" id={id}>
          {t.title[act]}
        </Title>
        {act === 'edit' && (
          <JsonInput
            ref={field}
            label={t.argumentsLabel}
            description={t.argumentsHint}
            value={argumentsText}
            error={draft === undefined ? t.argumentsInvalid : undefined}
            autosize
            minRows={4}
            maxRows={14}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            onChange={(value) => onChange({ ...form, argumentsText: value })}
          />
        )}
        <Textarea
          ref={act === 'edit' ? undefined : field}
          label={act === 'request_changes' ? t.comment : t.commentOptional}
          description={t.commentHint[act === 'edit' ? 'approve' : act]}
          required={act === 'request_changes'}
          error={tried && commentMissing ? t.commentMissing : undefined}
          value={comment}
          maxLength={10_000}
          autosize
          minRows={2}
          maxRows={8}
          onChange={(event) => onChange({ ...form, comment: event.currentTarget.value })}
        />
        {unopened.length > 0 && (
          <Alert color="yellow" p="xs" role={tried ? 'alert' : undefined}>
            {t.unopened(unopened.join(', '))}
          </Alert>
        )}
        <Group gap="xs">
          <Button ref={button} type="submit" color={COLORS[act]} aria-disabled={!ready}>
            {SEND[act]}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {texts.app.cancel}
          </Button>
          <Text size="xs" c="dimmed">
            {t.sendKeys}
          </Text>
        </Group>
      </Stack>
      <ConfirmDialog
        opened={confirming}
        approval={approval}
        onClose={() => setConfirming(false)}
        onConfirm={() => {
          setConfirming(false);
          if (draft !== undefined) onSend(draft);
        }}
      />
    </form>
  );
}
