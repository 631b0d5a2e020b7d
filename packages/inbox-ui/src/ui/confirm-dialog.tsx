import { Button, Group } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { Dialog } from './dialog.js';
import { ProblemNotice } from './problem-notice.js';

interface ConfirmDialogProps {
  readonly title: string;
  readonly opened: boolean;
  readonly confirmLabel: string;
  readonly canConfirm?: boolean;
  /** Performs the action; if it rejects, the error is shown and the dialog stays open. */
  onConfirm(): Promise<unknown>;
  onClose(): void;
  /** Description of the effect. */
  readonly children: ReactNode;
}

/**
 * Dialog that describes an action and asks for confirmation. `PlanDialog` is used instead if the server returns a plan
 * for the action.
 */
export function ConfirmDialog({
  title,
  opened,
  confirmLabel,
  canConfirm = true,
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const close = (): void => {
    setError(undefined);
    onClose();
  };
  const confirm = (): void => {
    setBusy(true);
    setError(undefined);
    onConfirm()
      .then(close, setError)
      .finally(() => setBusy(false));
  };
  return (
    <Dialog title={title} opened={opened} onClose={close}>
      {children}
      {error !== undefined && <ProblemNotice error={error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          {texts.app.cancel}
        </Button>
        <Button loading={busy} disabled={!canConfirm} onClick={confirm}>
          {confirmLabel}
        </Button>
      </Group>
    </Dialog>
  );
}
