import { Alert, Button, Code, Group, Stack, Switch, Text } from '@mantine/core';
import type { SigningKey } from '@countersign/contract';
import { CopyButton, Facts, oneLine, Timestamp } from '@countersign/inbox-ui';
import { IconShieldCheck } from '@tabler/icons-react';
import type { DeviceKey, SigningState } from '../../common/signing.js';
import { bridge } from '../app/bridge.js';
import { texts } from '../app/texts.js';
import type { Acting } from './signing-dialog.js';

const t = texts.signing;

interface KeyHereProps {
  readonly state: SigningState;
  readonly shownKey: DeviceKey;
  /** The key as listed by the server. */
  readonly listed: SigningKey | undefined;
  readonly acting: Acting;
}

/** The key of this device, with which votes can be signed. */
export function KeyHere({
  state: { keeps, signsEvery },
  shownKey: { keyId, name, createdAt },
  listed,
  acting,
}: KeyHereProps) {
  return (
    <Stack>
      <Alert color="teal" p="xs" icon={<IconShieldCheck aria-hidden />} title={t.ready}>
        <Text size="sm">{t.asks}</Text>
      </Alert>
      <Facts
        facts={[
          [t.name, oneLine(name, 100)],
          [
            t.keyId,
            <Group key="id" gap={4} wrap="nowrap">
              <Code style={{ overflowWrap: 'anywhere' }}>{keyId}</Code>
              <CopyButton text={() => keyId} label={t.copyKeyId} />
            </Group>,
          ],
          [t.place, keeps ? t.kept : t.notKept],
          [t.registered, <Timestamp key="registered" at={createdAt} />],
          [
            t.lastUsed,
            listed === undefined ? undefined : listed.lastUsedAt === null ? (
              t.never
            ) : (
              <Timestamp key="used" at={listed.lastUsedAt} />
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
        label={t.signsEvery}
        description={t.signsEveryHint}
        checked={signsEvery}
        disabled={acting.busy}
        onChange={(event) => {
          const on = event.currentTarget.checked;
          acting.run(() => bridge.setSignsEvery({ on }));
        }}
      />
      <Group justify="flex-end">
        {acting.busy && (
          <Text size="sm" c="dimmed" role="status">
            {t.inDialog}
          </Text>
        )}
        <Button
          variant="light"
          color="red"
          disabled={acting.busy}
          onClick={() => acting.run(() => bridge.revokeSigningKey({ keyId }))}
        >
          {t.revoke}
        </Button>
      </Group>
    </Stack>
  );
}
