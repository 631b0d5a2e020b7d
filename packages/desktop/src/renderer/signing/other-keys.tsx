import { Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import type { SigningKey } from '@countersign/contract';
import { toOneLine, Timestamp } from '@countersign/inbox-ui';
import { useId } from 'react';
import { bridge } from '../app/bridge.js';
import { texts } from '../app/texts.js';
import type { ActionRunner } from './signing-dialog.js';

const t = texts.signing;
/** Length of the displayed prefix of a key id. */
const KEY_ID_PREFIX_LENGTH = 12;

interface OtherKeysProps {
  readonly items: readonly SigningKey[];
  /** Whether this device has a key that can enrol other keys. */
  readonly canCountersign: boolean;
  readonly actionRunner: ActionRunner;
}

/** Lists the other keys of the user, with revoked keys last. */
export function OtherKeys({ items, canCountersign, actionRunner }: OtherKeysProps) {
  const heading = useId();
  const active = items.filter(({ revokedAt }) => revokedAt === null);
  const revoked = items.filter(({ revokedAt }) => revokedAt !== null);
  return (
    <section aria-labelledby={heading}>
      <Title order={3} size="h6" id={heading} mb="xs">
        {t.others}
      </Title>
      <Stack component="ul" gap={0} className="cd-keys">
        {[...active, ...revoked].map((key) => (
          <KeyRow key={key.keyId} signingKey={key} canCountersign={canCountersign} actionRunner={actionRunner} />
        ))}
      </Stack>
    </section>
  );
}

function KeyRow({
  signingKey: { keyId, name, createdAt, enrolment, lastUsedAt, revokedAt },
  canCountersign,
  actionRunner,
}: Omit<OtherKeysProps, 'items'> & { readonly signingKey: SigningKey }) {
  const displayName = toOneLine(name, 60);
  return (
    <Group component="li" gap="xs" wrap="nowrap" py={6}>
      <div style={{ minWidth: 0, flexGrow: 1 }}>
        <Text size="sm" truncate c={revokedAt === null ? undefined : 'dimmed'}>
          {displayName} <Code title={keyId}>{keyId.slice(0, KEY_ID_PREFIX_LENGTH)}…</Code>
        </Text>
        <Text size="xs" c="dimmed">
          {t.registered} <Timestamp at={createdAt} /> ·{' '}
          {enrolment === null ? (
            t.notEnrolled
          ) : (
            <>
              {t.lastUsed} {lastUsedAt === null ? t.never : <Timestamp at={lastUsedAt} />}
            </>
          )}
        </Text>
      </div>
      {revokedAt === null && enrolment === null && canCountersign && (
        <Button
          size="compact-sm"
          disabled={actionRunner.busy}
          aria-label={t.isMine(displayName)}
          onClick={() => actionRunner.run(() => bridge.countersignSigningKey({ keyId }))}
        >
          {t.isMineShort}
        </Button>
      )}
      {revokedAt === null ? (
        <Button
          size="compact-sm"
          variant="light"
          color="red"
          disabled={actionRunner.busy}
          aria-label={t.revokeOther(displayName)}
          onClick={() => actionRunner.run(() => bridge.revokeSigningKey({ keyId }))}
        >
          {t.revokeShort}
        </Button>
      ) : (
        <Text size="xs" c="dimmed">
          {t.revoked} <Timestamp at={revokedAt} />
        </Text>
      )}
    </Group>
  );
}
