import { Button, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { MomentField } from '../time/moment-field.js';
import { isMomentOrEmpty, EMPTY_MOMENT_INPUT, parseMomentInput } from '../time/moment-input.js';
import { parseNames } from '../ui/parse-names.js';
import { ProblemNotice } from '../ui/problem-notice.js';

const t = texts.approvals;

interface DelegateDialogProps {
  readonly opened: boolean;
  onClose(): void;
  /** @param until RFC 3339; omitted: no end date */
  onDelegate(to: string, until?: string): Promise<unknown>;
}

/** Dialog that delegates the user's decisions to another user. */
export function DelegateDialog({ opened, onClose, onDelegate }: DelegateDialogProps) {
  const [to, setTo] = useState('');
  const [until, setUntil] = useState(EMPTY_MOMENT_INPUT);
  const parsedUntil = parseMomentInput(until);
  const send = (): Promise<unknown> =>
    onDelegate(to.trim(), parsedUntil.kind === 'moment' ? new Date(parsedUntil.at).toISOString() : undefined);
  return (
    <FormDialog
      opened={opened}
      title={t.delegateForm.title}
      sendLabel={t.delegateForm.send}
      ready={to.trim() !== '' && isMomentOrEmpty(parsedUntil)}
      onClose={onClose}
      onSend={send}
    >
      <TextInput
        label={t.delegateForm.to}
        required
        value={to}
        data-autofocus
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <MomentField
        label={t.delegateForm.until}
        description={t.delegateForm.untilHint}
        input={until}
        onInput={setUntil}
      />
    </FormDialog>
  );
}

export interface Reassignment {
  readonly candidateUsers: string[];
  readonly candidateGroups: string[];
  readonly comment?: string;
}

interface ReassignDialogProps {
  readonly opened: boolean;
  onClose(): void;
  onReassign(to: Reassignment): Promise<unknown>;
}

/** Dialog that replaces the candidates. */
export function ReassignDialog({ opened, onClose, onReassign }: ReassignDialogProps) {
  const [users, setUsers] = useState('');
  const [groups, setGroups] = useState('');
  const [comment, setComment] = useState('');
  const candidateUsers = parseNames(users);
  const candidateGroups = parseNames(groups);
  const send = (): Promise<unknown> =>
    onReassign({ candidateUsers, candidateGroups, ...(comment.trim() === '' ? {} : { comment: comment.trim() }) });
  return (
    <FormDialog
      opened={opened}
      title={t.reassignForm.title}
      sendLabel={t.reassignForm.send}
      ready={candidateUsers.length + candidateGroups.length > 0}
      onClose={onClose}
      onSend={send}
    >
      <Text size="sm">{t.reassignForm.hint}</Text>
      <TextInput
        label={t.reassignForm.users}
        description={t.reassignForm.separatorHint}
        value={users}
        data-autofocus
        onChange={(event) => setUsers(event.currentTarget.value)}
      />
      <TextInput
        label={t.reassignForm.groups}
        description={t.reassignForm.separatorHint}
        value={groups}
        onChange={(event) => setGroups(event.currentTarget.value)}
      />
      <Textarea
        label={t.reassignForm.comment}
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

type PerformAction = (run: () => Promise<unknown>) => void;

interface FormDialogProps {
  readonly opened: boolean;
  readonly title: string;
  readonly sendLabel: string;
  readonly ready: boolean;
  readonly children: ReactNode;
  /** Renders the button of another action, which also closes the dialog. */
  readonly otherAction?: ((performAction: PerformAction, busy: boolean) => ReactNode) | undefined;
  onClose(): void;
  onSend(): Promise<unknown>;
}

/** Dialog with a form. If the request fails, the form stays open with its content. */
export function FormDialog({
  opened,
  title,
  sendLabel,
  ready,
  children,
  otherAction,
  onClose,
  onSend,
}: FormDialogProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const performAction: PerformAction = (run) => {
    setBusy(true);
    setError(undefined);
    run()
      .then(onClose, setError)
      .finally(() => setBusy(false));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (ready && !busy) performAction(onSend);
  };
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <form onSubmit={submit}>
        <Stack>
          {children}
          {error !== undefined && <ProblemNotice error={error} />}
          <Group justify="flex-end">
            {otherAction?.(performAction, busy)}
            <Button variant="default" onClick={onClose}>
              {texts.app.cancel}
            </Button>
            <Button type="submit" loading={busy} disabled={!ready}>
              {sendLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
