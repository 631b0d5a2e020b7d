import { Alert, Button, Code, Group, Stack, Switch, Text } from '@mantine/core';
import type { SigningKey } from '@countersign/contract';
import { CopyButton, Facts, toOneLine, Timestamp } from '@countersign/inbox-ui';
import { IconShieldCheck } from '@tabler/icons-react';
import type { DeviceKey, SigningState } from '../../common/signing.js';
import { bridge } from '../app/bridge.js';
import { texts } from '../app/texts.js';
import type { ActionRunner } from './signing-dialog.js';

const t = texts.signing;

interface DeviceKeyDetailsProps {
  readonly state: SigningState;
  readonly deviceKey: DeviceKey;
  /** The key as listed by the server. */
  readonly listedKey: SigningKey | undefined;
  readonly actionRunner: ActionRunner;
}

/** Shows the key of this device, which can sign votes, and its settings. */
export function DeviceKeyDetails({
  state: { keeps, signsEveryVote },
  deviceKey: { keyId, name, createdAt },
  listedKey,
  actionRunner,
}: DeviceKeyDetailsProps) {
  return (
    <Stack>
      <Alert color="teal" p="xs" icon={<IconShieldCheck aria-hidden />} title={t.ready}>
        <Text size="sm">{t.confirmationHint}</Text>
      </Alert>
      <Facts
        facts={[
          [t.name, toOneLine(name, 100)],
          [
            t.keyId,
            <Group key="id" gap={4} wrap="nowrap">
              <Code style={{ overflowWrap: 'anywhere' }}>{keyId}</Code>
              <CopyButton text={() => keyId} label={t.copyKeyId} />
            </Group>,
          ],
          [t.storage, keeps ? t.kept : t.notKept],
          [t.registered, <Timestamp key="registered" at={createdAt} />],
          [
            t.lastUsed,
            listedKey === undefined ? undefined : listedKey.lastUsedAt === null ? (
              t.never
            ) : (
              <Timestamp key="used" at={listedKey.lastUsedAt} />
            ),
          ],
        ]}
      />
      {!keeps && (
        <Text size="sm" c="dimmed">
          {t.notKeptHint}
        </Text>
      )}
      <Switch
        label={t.signsEveryVote}
        description={t.signsEveryVoteHint}
        checked={signsEveryVote}
        disabled={actionRunner.busy}
        onChange={(event) => {
          const isOn = event.currentTarget.checked;
          actionRunner.run(() => bridge.setSignsEvery({ on: isOn }));
        }}
      />
      <Group justify="flex-end">
        {actionRunner.busy && (
          <Text size="sm" c="dimmed" role="status">
            {t.inDialog}
          </Text>
        )}
        <Button
          variant="light"
          color="red"
          disabled={actionRunner.busy}
          onClick={() => actionRunner.run(() => bridge.revokeSigningKey({ keyId }))}
        >
          {t.revoke}
        </Button>
      </Group>
    </Stack>
  );
}
