import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import type { SigningState } from '../../common/signing.js';
import { bridge } from '../app/bridge.js';
import { texts } from '../app/texts.js';
import type { ActionRunner } from './signing-dialog.js';

const t = texts.signing;

/** Form that sets up a key on this device, or completes its set-up. */
export function SetUpKey({
  state: { status, key, keeps, deviceName },
  actionRunner,
}: {
  readonly state: SigningState;
  readonly actionRunner: ActionRunner;
}) {
  const [name, setName] = useState(key?.name ?? deviceName);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    actionRunner.run(() => bridge.setUpSigning({ name: name.trim() }));
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {status === 'none' && (
          <Text size="sm">
            {t.explanation} {t.confirmationHint}
          </Text>
        )}
        {!keeps && (
          <Alert color="gray" title={t.notKept} p="xs">
            <Text size="sm">{t.notKeptHint}</Text>
          </Alert>
        )}
        <TextInput
          label={t.deviceName}
          description={t.deviceNameHint}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
          maxLength={100}
          data-autofocus
          spellCheck={false}
        />
        <Group justify="flex-end">
          {actionRunner.busy && (
            <Text size="sm" c="dimmed" role="status">
              {t.inDialog}
            </Text>
          )}
          <Button type="submit" loading={actionRunner.busy} disabled={name.trim() === ''}>
            {status === 'none' ? t.setUp : status === 'unregistered' ? t.finish : t.setUpAnother}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
