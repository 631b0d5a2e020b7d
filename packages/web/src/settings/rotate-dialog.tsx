import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import { formatDuration } from '@countersign/inbox-ui/time/format-time';
import { ConfirmDialog } from '@countersign/inbox-ui/ui/confirm-dialog';
import { Alert, PasswordInput, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { addIsoDuration, parseIsoDuration, type Setting } from '@countersign/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { texts } from '../texts/index.js';

const t = texts.settings;

interface RotateDialogProps {
  readonly setting: Setting | undefined;
  /** Period for which the previous secret is still accepted (ISO 8601). */
  readonly grace: string | undefined;
  onClose(): void;
}

/** Replaces a secret. The server never returns its value. */
export function RotateDialog({ setting, grace, onClose }: RotateDialogProps) {
  const client = useClient();
  const queryClient = useQueryClient();
  const [secret, setSecret] = useState('');
  const [repeatedSecret, setRepeatedSecret] = useState('');
  const rotate = async (): Promise<void> => {
    if (setting === undefined) return;
    queryClient.setQueryData(
      queryKeys.settings,
      await client.updateSettings({ body: { secrets: { [setting.key]: secret } } }),
    );
    notifications.show({ message: t.secretRotated(setting.key), color: 'green' });
  };
  const hasSecret = setting?.isSet === true;
  return (
    <ConfirmDialog
      title={t.rotateTitle(setting?.title ?? '')}
      opened={setting !== undefined}
      confirmLabel={t.rotate}
      canConfirm={secret !== '' && secret === repeatedSecret}
      onConfirm={rotate}
      onClose={onClose}
    >
      <Text size="xs" c="dimmed" ff="monospace">
        {setting?.key}
      </Text>
      <Alert color={hasSecret ? 'yellow' : 'blue'}>{hasSecret ? describeGrace(grace) : t.rotateFirst}</Alert>
      {/* `new-password` keeps password managers from filling in a password of the user. */}
      <PasswordInput
        label={t.newSecret}
        autoComplete="new-password"
        data-autofocus
        value={secret}
        onChange={(event) => setSecret(event.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': t.showSecret }}
      />
      <PasswordInput
        label={t.repeatedSecret}
        autoComplete="new-password"
        value={repeatedSecret}
        error={repeatedSecret !== '' && repeatedSecret !== secret ? t.secretsDiffer : undefined}
        onChange={(event) => setRepeatedSecret(event.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': t.showSecret }}
      />
    </ConfirmDialog>
  );
}

function describeGrace(grace: string | undefined): string {
  const duration = grace === undefined ? undefined : parseIsoDuration(grace);
  const graceMs = duration === undefined ? undefined : addIsoDuration(0, duration);
  if (graceMs === 0) return t.noGrace;
  return t.grace(graceMs === undefined ? (grace ?? '') : formatDuration(graceMs));
}
