import { Button, Code, Group, List, Stack, Text } from '@mantine/core';
import { CopyButton } from '@countersign/inbox-ui';
import type { DeviceKey } from '../../common/signing.js';
import { bridge } from '../app/bridge.js';
import { texts } from '../app/texts.js';
import type { ActionRunner } from './signing-dialog.js';

const t = texts.signing;

/** Shows the ways to confirm that the key of this device belongs to the user. */
export function EnrolKey({
  deviceKey: { keyId },
  actionRunner,
}: {
  readonly deviceKey: DeviceKey;
  readonly actionRunner: ActionRunner;
}) {
  return (
    <Stack>
      <List size="sm" spacing="xs" type="ordered">
        <List.Item>{t.enrolHint}</List.Item>
        <List.Item>{t.otherDeviceHint}</List.Item>
        <List.Item>
          {t.adminHint}
          <Group gap={4} wrap="nowrap">
            <Code style={{ overflowWrap: 'anywhere' }}>{keyId}</Code>
            <CopyButton text={() => keyId} label={t.copyKeyId} />
          </Group>
        </List.Item>
      </List>
      <Group justify="flex-end">
        {actionRunner.busy && (
          <>
            <Text size="sm" c="dimmed" role="status">
              {t.inBrowser}
            </Text>
            <Button variant="default" onClick={() => void bridge.cancelSignIn()}>
              {t.giveUp}
            </Button>
          </>
        )}
        <Button
          variant="light"
          color="red"
          disabled={actionRunner.busy}
          onClick={() => actionRunner.run(() => bridge.revokeSigningKey({ keyId }))}
        >
          {t.revoke}
        </Button>
        <Button
          loading={actionRunner.busy}
          onClick={() => actionRunner.run(() => bridge.enrolSigningKey())}
          data-autofocus
        >
          {t.enrol}
        </Button>
      </Group>
    </Stack>
  );
}
