import { Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import type { SigningKey } from '@countersign/contract';
import { oneLine, Timestamp } from '@countersign/inbox-ui';
import { useId } from 'react';
import { bridge } from '../app/bridge.js';
import { texts } from '../app/texts.js';
import type { Acting } from './signing-dialog.js';

const t = texts.signing;
/** Length of a key id prefix that distinguishes keys. */
const SHORT = 12;

interface OtherKeysProps {
  readonly items: readonly SigningKey[];
  /** Whether this device has a key that can enrol others. */
  readonly countersigns: boolean;
  readonly acting: Acting;
}

/** Keys of other devices and former keys: revoked ones last. */
export function OtherKeys({ items, countersigns, acting }: OtherKeysProps) {
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
          <Row key={key.keyId} signingKey={key} countersigns={countersigns} acting={acting} />
        ))}
      </Stack>
    </section>
  );
}

function Row({
  signingKey: { keyId, name, createdAt, enrolment, lastUsedAt, revokedAt },
  countersigns,
  acting,
}: Omit<OtherKeysProps, 'items'> & { readonly signingKey: SigningKey }) {
  const shown = oneLine(name, 60);
  return (
    <Group component="li" gap="xs" wrap="nowrap" py={6}>
      <div style={{ minWidth: 0, flexGrow: 1 }}>
        <Text size="sm" truncate c={revokedAt === null ? undefined : 'dimmed'}>
          {shown} <Code title={keyId}>{keyId.slice(0, SHORT)}…</Code>
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
      {revokedAt === null && enrolment === null && countersigns && (
        <Button
          size="compact-sm"
          disabled={acting.busy}
          aria-label={t.isMine(shown)}
          onClick={() => acting.run(() => bridge.countersignSigningKey({ keyId }))}
        >
          {t.isMineShort}
        </Button>
      )}
      {revokedAt === null ? (
        <Button
          size="compact-sm"
          variant="light"
          color="red"
          disabled={acting.busy}
          aria-label={t.revokeOther(shown)}
          onClick={() => acting.run(() => bridge.revokeSigningKey({ keyId }))}
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
