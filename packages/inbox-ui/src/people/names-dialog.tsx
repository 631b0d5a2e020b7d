import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { Fragment, useState, type FormEvent, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { ProblemNotice } from '../ui/problem-notice.js';
import { toOneLine } from '../ui/to-one-line.js';
import { findUnknownNames, type NamesInBody, type UnknownNames } from './find-unknown-names.js';

const t = texts.people;

type PerformAction = (run: () => Promise<unknown>) => void;

interface NamesDialogProps {
  readonly opened: boolean;
  readonly title: string;
  readonly sendLabel: string;
  readonly ready: boolean;
  readonly children: ReactNode;
  /** The names in the form, by the field of the request body. */
  readonly names: NamesInBody;
  /** Renders the button of another action, which also closes the dialog. */
  readonly otherAction?: ((performAction: PerformAction, busy: boolean) => ReactNode) | undefined;
  onClose(): void;
  /** @param allowUnknown whether the user has confirmed names of people who have never signed in */
  onSend(allowUnknown: boolean): Promise<unknown>;
}

/**
 * Dialog with a form that names users or groups. If the request fails, the form stays open with its content. If the
 * server does not know a name, the user can correct it, or confirm it.
 */
export function NamesDialog({
  opened,
  title,
  sendLabel,
  ready,
  children,
  names,
  otherAction,
  onClose,
  onSend,
}: NamesDialogProps) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<{ readonly error: unknown; readonly sentNames: NamesInBody }>();
  const performAction: PerformAction = (run) => {
    setBusy(true);
    run()
      .then(onClose, (error: unknown) => setFailure({ error, sentNames: names }))
      .finally(() => setBusy(false));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (ready && !busy) performAction(() => onSend(false));
  };
  const unknown = failure === undefined ? undefined : findUnknownNames(failure.error, failure.sentNames);
  // Only the names that were refused can be confirmed.
  const isUnchanged = JSON.stringify(failure?.sentNames) === JSON.stringify(names);
  return (
    // After other transitions, the dialog has a transform, which would cut off lists of choices.
    <Modal opened={opened} onClose={onClose} title={title} transitionProps={{ transition: 'fade' }}>
      <form onSubmit={submit}>
        <Stack>
          {children}
          {failure !== undefined && unknown === undefined && <ProblemNotice error={failure.error} />}
          {unknown !== undefined && isUnchanged && (
            <UnknownNamesNotice unknown={unknown} busy={busy} onConfirm={() => performAction(() => onSend(true))} />
          )}
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

interface UnknownNamesNoticeProps {
  readonly unknown: UnknownNames;
  readonly busy: boolean;
  onConfirm(): void;
}

function UnknownNamesNotice({ unknown: { users, groups }, busy, onConfirm }: UnknownNamesNoticeProps) {
  return (
    <Alert color="yellow" role="alert" title={t.unknownTitle}>
      <Stack gap="xs" align="flex-start">
        <UnknownNames label={t.unknownUsers} names={users} />
        <UnknownNames label={t.unknownGroups} names={groups} />
        <Text size="sm">{t.unknownHint}</Text>
        <Button size="xs" variant="default" loading={busy} onClick={onConfirm}>
          {t.confirmUnknown}
        </Button>
      </Stack>
    </Alert>
  );
}

function UnknownNames({ label, names }: { readonly label: string; readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <Text size="sm">
      {label}{' '}
      {names.map((name, index) => (
        <Fragment key={name}>
          {index > 0 && ', '}
          <b>
            <bdi>{toOneLine(name, 80)}</bdi>
          </b>
        </Fragment>
      ))}
    </Text>
  );
}
