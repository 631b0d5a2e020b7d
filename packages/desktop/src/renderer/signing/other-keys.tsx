import { Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import type { SigningKey } from '@countersign/contract';
import { oneLine } from '@countersign/web/inbox';
import { Timestamp } from '@countersign/web/shared';
import { useId } from 'react';
import { bridge } from '../app/bridge.js';
import { texts } from '../app/texts.js';
import type { Acting } from './signing-dialog.js';

const t = texts.signing;
/** As much of a key's id as tells it from others. */
const SHORT = 12;

/** Keys of other devices, and those that are no more: revoked ones last. */
export function OtherKeys({ items, acting }: { readonly items: readonly SigningKey[]; readonly acting: Acting }) {
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
          <Row key={key.keyId} signingKey={key} acting={acting} />
        ))}
      </Stack>
    </section>
  );
}

function Row({
  signingKey: { keyId, name, createdAt, lastUsedAt, revokedAt },
  acting,
}: {
  readonly signingKey: SigningKey;
  readonly acting: Acting;
}) {
  const shown = oneLine(name, 60);
  return (
    <Group component="li" justify="space-between" wrap="nowrap" py={6}>
      <div style={{ minWidth: 0 }}>
        <Text size="sm" truncate c={revokedAt === null ? undefined : 'dimmed'}>
          {shown} <Code title={keyId}>{keyId.slice(0, SHORT)}…</Code>
        </Text>
        <Text size="xs" c="dimmed">
          {t.registered} <Timestamp at={createdAt} /> · {t.lastUsed}{' '}
          {lastUsedAt === null ? t.never : <Timestamp at={lastUsedAt} />}
        </Text>
      </div>
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
